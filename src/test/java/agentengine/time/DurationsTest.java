package agentengine.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "30s, PT30S",
    "5m, PT5M",
    "1h, PT1H",
    "7d, P7D",
    "1h2m3s, PT1H2M3S",
    "1d2h3m4s5ms, P1DT2H3M4.005S",
    "2m500ms, PT2M0.5S",
    "90m, PT90M",
    "0s, PT0S",
    "007s, PT7S"
  })
  void aDurationIsReadAsPeopleWriteIt(String text, Duration expected) {
    assertThat(Durations.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "s",
        "5",
        "5 s",
        " 5s",
        "5s ",
        "-5s",
        "1.5h",
        "5S",
        "5x",
        "5sec",
        "3s1h",
        "1s1s",
        "1ms1s",
        "PT5S",
        "٣s",
        "9999999999s",
        "1h2"
      })
  void anythingElseIsRefusedWithTheTextAndExamples(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a duration like 500ms, 30s, 1h or 7d");
  }

  @ParameterizedTest
  @ValueSource(strings = {"500ms", "30s", "5m", "1h2m3s", "7d", "1d2h3m4s5ms", "0s"})
  void aDurationIsWrittenAsItIsRead(String text) {
    assertThat(Durations.format(Durations.parse(text))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"90m, 1h30m", "3600s, 1h", "48h, 2d", "1500ms, 1s500ms", "0ms, 0s"})
  void aDurationIsWrittenInItsLargestUnits(String text, String written) {
    assertThat(Durations.format(Durations.parse(text))).isEqualTo(written);
  }
}
