package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and labels are what dashboards and alerts are written against. */
@ParameterizedClass
@EnumSource
class MetricNamesTest {
  private final TestEngine engine;
  private final Scrape scrape;

  MetricNamesTest(TestDatabases.Kind kind) {
    engine = TestEngine.shared(kind);
    scrape = BusyScrape.of(engine);
  }

  @ParameterizedTest
  @CsvSource({
    "engine_http_requests_total, method route status",
    "engine_http_request_duration_seconds_count, route",
    "engine_chat_streams_active, ''",
    "engine_turns_total, agent outcome",
    "engine_turns_running, ''",
    "engine_turn_duration_seconds_count, ''",
    "engine_time_to_first_token_seconds_count, model",
    "engine_tokens_total, model direction",
    "engine_model_fallbacks_total, model",
    "engine_tool_calls_total, tool status",
    "engine_tasks, status",
    "engine_rate_limited_total, rule",
    "engine_store_commit_seconds_count, ''",
    "process_files_open_files, ''",
  })
  void a_metric_has_its_name_and_exactly_its_labels(String name, String labels) {
    Set<String> expected =
        Arrays.stream(labels.split(" ", -1))
            .filter(label -> !label.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(scrape.samples())
        .filteredOn(sample -> sample.name().equals(name))
        .isNotEmpty()
        .allSatisfy(sample -> assertThat(sample.labelNames()).isEqualTo(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "engine_http_request_duration_seconds",
        "engine_turn_duration_seconds",
        "engine_time_to_first_token_seconds",
        "engine_store_commit_seconds"
      })
  void a_duration_is_a_histogram_with_a_few_buckets(String name) {
    Map<String, List<Scrape.Sample>> histograms =
        scrape.samples().stream()
            .filter(sample -> sample.name().equals(name + "_bucket"))
            .collect(
                Collectors.groupingBy(sample -> sample.labels().replaceAll("le=\"[^\"]*\"", "")));

    assertThat(histograms).isNotEmpty();
    assertThat(histograms.values())
        .allSatisfy(
            buckets -> {
              assertThat(buckets).hasSizeBetween(6, 12);
              assertThat(buckets.getLast().labels()).contains("le=\"+Inf\"");
              assertThat(buckets.getFirst().value()).isLessThanOrEqualTo(buckets.getLast().value());
            });
  }

  @Test
  void every_metric_of_ours_says_what_it_is() {
    Set<String> explained =
        engine
            .anonymous()
            .get("/metrics")
            .text()
            .lines()
            .filter(line -> line.matches("# HELP engine_\\S+ \\S.*"))
            .map(line -> line.split(" ", -1)[2])
            .collect(Collectors.toSet());

    assertThat(explained).hasSizeGreaterThan(10);
    assertThat(scrape.samples())
        .extracting(Scrape.Sample::name)
        .filteredOn(name -> name.startsWith("engine_"))
        .allSatisfy(
            name ->
                assertThat(explained)
                    .containsAnyOf(name, name.replaceAll("_(bucket|count|sum)$", "")));
  }
}
