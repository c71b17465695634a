package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON Schema that editors get, held against what the engine reads. */
class DocumentSchemaTest {
  private static final Pattern KNOWN = Pattern.compile("is not a field here; known are (.*)");

  private final JsonNode schema = Json.parse(resource("/config-schema.json"));
  private final JsonSchema validator =
      JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(schema);
  private final Definitions definitions = new Definitions(TestDatabases.Kind.SQLITE);

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void it_knows_exactly_the_keys_that_the_reader_knows() {
    // A field that nobody knows, in every object; the complaints tell which are known there.
    List<ConfigurationException.Problem> problems =
        definitions.refusal(
            """
            version: 1
            no-field: 1
            models: {x: {no-field: 1}}
            tools: {x: {no-field: 1}}
            agents: {x: {no-field: 1}}
            schemas: {x: {no-field: 1}}
            settings:
              rate_limit: {no-field: 1}
              model_override: {no-field: 1}
              limits: {no-field: 1}
              no-field: {}
            """);
    Map<String, Set<String>> known = new TreeMap<>();
    for (ConfigurationException.Problem problem : problems) {
      Matcher matcher = KNOWN.matcher(problem.message());
      if (matcher.matches()) {
        known.put(
            problem.path().replace("no-field", ""),
            new TreeSet<>(List.of(matcher.group(1).split(", "))));
      }
    }

    assertThat(known)
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "", keys("/properties"),
                    "models.x.", keys("/$defs/model/properties"),
                    "tools.x.", keys("/$defs/tool/properties"),
                    "agents.x.", keys("/$defs/agent/properties"),
                    "schemas.x.", keys("/$defs/schema/properties"),
                    "settings.", keys("/properties/settings/properties"),
                    "settings.rate_limit.", keys("/$defs/rate_limit/properties"),
                    "settings.model_override.", keys("/$defs/model_override/properties"),
                    "settings.limits.", keys("/$defs/limits/properties"))));
  }

  @Test
  void its_defaults_are_those_of_the_reader() {
    definitions.apply(
        """
        version: 1
        models: {m: {type: ollama, model_name: m}}
        tools: {t: {url: 'https://shop.example/'}}
        agents: {a: {model: m}}
        schemas: {s: {entry_agent: a}}
        """);

    assertDefaults("/$defs/tool", definitions.tools.get("t").spec().toJson());
    assertDefaults("/$defs/agent", definitions.agents.get("a").spec().toJson());
    for (String group : Settings.GROUPS) {
      assertDefaults("/$defs/" + group, Settings.DEFAULT.toJson().get(group));
      assertThat(schema.at("/$defs/" + group + "/properties"))
          .allSatisfy(field -> assertThat(field.has("default")).isTrue());
    }
  }

  private void assertDefaults(String definition, JsonNode actual) {
    for (Map.Entry<String, JsonNode> field : schema.at(definition + "/properties").properties()) {
      if (field.getValue().has("default")) {
        assertThat(Json.write(field.getValue().get("default")))
            .as(definition + " " + field.getKey())
            .isEqualTo(Json.write(actual.path(field.getKey())));
      }
    }
  }

  @Test
  void it_explains_every_key() {
    List<String> silent = new ArrayList<>();
    for (JsonNode properties : schema.findValues("properties")) {
      for (Map.Entry<String, JsonNode> field : properties.properties()) {
        boolean named = field.getValue().has("description") || field.getValue().has("anyOf");
        if (!named && !field.getValue().has("enum")) {
          silent.add(field.getKey());
        }
      }
    }

    assertThat(silent).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/config/first-simulator.yaml", "/config/first-ollama.yaml"})
  void the_documents_that_newcomers_get_fit(String file) {
    assertThat(problems(resource(file))).isEmpty();
  }

  @Test
  void the_document_of_the_readme_fits_and_is_applied() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    int start = readme.indexOf("version: 1\n");
    String text = readme.substring(start, readme.indexOf("```", start));
    definitions.environment.put("OPENAI_KEY", "key");

    assertThat(problems(text)).isEmpty();
    assertThat(definitions.apply(text)).isTrue();
    assertThat(definitions.schemas.get("shop").spec().chatEnabled()).isTrue();
  }

  @Test
  void a_document_with_everything_fits_and_is_applied() {
    String text =
        """
        version: 1
        models:
          m: {name: m, type: openai_compatible, model_name: m, base_url: '${URL}', api_key: null}
          n: {type: '${KIND}', model_name: n}
        tools:
          t: {url: 'https://shop.example/', headers: {X-Key: k, X-No: null}, timeout: 1m30s,
              method: PUT, effect: idempotent, confirm_before: true, parameters: {properties: {}}}
        mcp_servers: {}
        knowledge: {}
        agents:
          a: {model: m, temperature: 0.5, top_p: null, max_tokens: 5, lifecycle: spawn, tools: [t]}
        schemas: {s: {entry_agent: a, agents: [a], chat_enabled: true}}
        settings:
          rate_limit: {requests: 5, window: 10s}
          model_override: {enabled: true, providers: [xai]}
          limits:
        """;
    definitions.environment.put("URL", "https://shop.example/v1");
    definitions.environment.put("KIND", "ollama");

    assertThat(problems(text)).isEmpty();
    assertThat(definitions.apply(text)).isTrue();
    assertThat(problems(definitions.configuration.export())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version: 2",
        "models: {}",
        "version: 1\ncolour: blue",
        "version: 1\nmodels: []",
        "version: 1\nmodels: {x: {type: nonsense, model_name: m}}",
        "version: 1\nmodels: {x: {type: openai_compatible, model_name: m}}",
        "version: 1\nmodels: {Bad Name: {type: ollama, model_name: m}}",
        "version: 1\ntools: {bad-name: {url: 'https://shop.example/'}}",
        "version: 1\nagents: {x: {}}",
        "version: 1\nagents: {x: {model: m, max_steps: 0}}",
        "version: 1\nagents: {x: {model: m, tools: t}}",
        "version: 1\nschemas: {x: {entry_agent: [a]}}",
        "version: 1\nsettings: {limits: {stall: soon}}",
        "version: 1\nsettings: {colour: {}}"
      })
  void what_the_reader_refuses_for_its_form_does_not_fit(String text) {
    assertThat(problems(text)).isNotEmpty();
    assertThat(definitions.refusal(text)).isNotEmpty();
  }

  private Set<String> keys(String pointer) {
    Set<String> keys = new TreeSet<>();
    schema.at(pointer).fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  private List<String> problems(String yaml) {
    JsonNode document = new YamlDocument(yaml, _ -> null, _ -> true).root();
    return validator.validate(document).stream().map(Object::toString).toList();
  }

  private static String resource(String name) {
    try (InputStream in = DocumentSchemaTest.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("no file " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
