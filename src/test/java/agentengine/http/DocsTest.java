package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocsTest {
  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"([^\"]*)\"");

  private final ApiClient anybody = TestEngine.shared(TestDatabases.Kind.SQLITE).anonymous();

  @Test
  void the_page_loads_everything_from_the_engine_itself() {
    Answer page = anybody.get("/docs");

    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    List<String> loaded =
        LOADED.matcher(page.text()).results().map(match -> match.group(1)).toList();
    assertThat(loaded).hasSizeGreaterThanOrEqualTo(3);
    for (String address : loaded) {
      Answer part = anybody.get(address);
      assertThat(part.status()).as(address).isEqualTo(200);
      assertThat(part.body()).as(address).isNotEmpty();
    }
    assertThat(page.text()).doesNotContain("http:").doesNotContain("https:");
  }

  @Test
  void the_browser_is_told_to_load_nothing_from_elsewhere() {
    assertThat(anybody.get("/docs").header("Content-Security-Policy"))
        .contains("default-src 'self'")
        .contains("frame-ancestors 'none'")
        .doesNotContain("http")
        .doesNotContain("*")
        .doesNotContain("unsafe-eval");
    assertThat(anybody.get("/docs/start.js").text())
        .contains("/api/v1/openapi.yaml")
        .doesNotContain("http:")
        .doesNotContain("https:");
  }

  @Test
  void scripts_and_styles_have_their_types_and_may_be_kept() {
    Answer script = anybody.get("/docs/swagger-ui-bundle.js");
    Answer style = anybody.get("/docs/swagger-ui.css");

    assertThat(script.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
    assertThat(style.header("Content-Type")).isEqualTo("text/css; charset=utf-8");
    assertThat(style.header("Cache-Control")).contains("max-age");
  }

  @Test
  void no_other_file_of_the_program_can_be_had() {
    for (String file :
        List.of(
            "index.html",
            "nothing.js",
            "..%2Fopenapi.yaml",
            "..%2F..%2Fversion.properties",
            "%2Fetc%2Fpasswd",
            "start.js%00")) {
      assertThat(anybody.get("/docs/" + file).error(404)).as(file).isEqualTo("not_found");
    }
  }

  @Test
  void the_document_is_the_one_that_the_engine_was_built_with() throws IOException {
    Answer document = anybody.get("/api/v1/openapi.yaml");

    assertThat(document.header("Content-Type")).startsWith("application/yaml");
    try (InputStream built = DocsTest.class.getResourceAsStream("/openapi.yaml")) {
      assertThat(document.body()).isEqualTo(Objects.requireNonNull(built).readAllBytes());
    }
  }

  @Test
  void the_bare_address_leads_to_the_page() {
    assertThat(anybody.get("/").header("Location")).isEqualTo("/docs");
  }
}
