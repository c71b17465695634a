package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A panel that asks for what no engine says would stay empty for ever, and nobody would know. */
class DashboardTest {
  private static final Pattern METRIC = Pattern.compile("\\b(?:engine|jvm|process)_\\w+");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"");
  private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");

  /** What Prometheus itself adds to every series. */
  private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

  private final JsonNode dashboard;

  DashboardTest() throws IOException {
    dashboard = Json.parse(Files.readString(Path.of("deploy", "grafana", "agent-engine.json")));
  }

  @Test
  void every_query_asks_for_metrics_and_labels_that_an_engine_shows() {
    Scrape scrape = BusyScrape.of(TestEngine.shared(TestDatabases.Kind.SQLITE));

    assertThat(queries()).hasSizeGreaterThan(20);
    for (String query : queries()) {
      Set<String> labels = new HashSet<>(OF_PROMETHEUS);
      List<String> metrics = METRIC.matcher(query).results().map(MatchResult::group).toList();
      assertThat(metrics).as(query).isNotEmpty();
      for (String metric : metrics) {
        assertThat(scrape.has(metric)).as("%s in %s", metric, query).isTrue();
        scrape.samples().stream()
            .filter(sample -> sample.name().equals(metric))
            .forEach(sample -> labels.addAll(sample.labelNames()));
      }
      assertThat(labels).as(query).containsAll(labelsOf(query));
    }
  }

  private List<String> queries() {
    Stream<JsonNode> panels = dashboard.path("panels").valueStream();
    Stream<JsonNode> variables = dashboard.path("templating").path("list").valueStream();
    return Stream.concat(
            panels
                .flatMap(panel -> panel.path("targets").valueStream())
                .map(target -> target.path("expr").textValue()),
            variables
                .map(variable -> variable.path("query").path("query").asText(""))
                .filter(query -> !query.isEmpty()))
        .toList();
  }

  private static Set<String> labelsOf(String query) {
    Stream<String> matched = MATCHER.matcher(query).results().map(matcher -> matcher.group(1));
    Stream<String> grouped =
        BY.matcher(query).results().flatMap(by -> Stream.of(by.group(1).split(",", -1)));
    return Stream.concat(matched, grouped)
        .map(String::strip)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void every_panel_has_a_place_an_id_of_its_own_and_the_data_source_that_was_chosen() {
    List<JsonNode> panels = dashboard.path("panels").valueStream().toList();

    assertThat(panels).extracting(panel -> panel.path("id").intValue()).doesNotHaveDuplicates();
    assertThat(panels).extracting(panel -> panel.path("gridPos")).doesNotHaveDuplicates();
    assertThat(dashboard.findValues("datasource"))
        .extracting(source -> source.path("uid").textValue())
        .isSubsetOf("${datasource}", "-- Grafana --");
    assertThat(panels)
        .filteredOn(panel -> panel.path("type").textValue().equals("row"))
        .extracting(panel -> panel.path("title").textValue())
        .containsExactly("Traffic", "Turns", "Model", "Tools", "Tasks", "Store", "JVM");
  }

  @Test
  void it_can_be_imported_anywhere() {
    assertThat(dashboard.path("id").isNull()).isTrue();
    assertThat(dashboard.path("uid").textValue()).isEqualTo("agent-engine");
    assertThat(dashboard.path("schemaVersion").intValue()).isEqualTo(42);
  }
}
