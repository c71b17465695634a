package agentengine.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
  @Test
  void goodFieldsAreReadAsTheyAre() {
    Fields fields =
        fields("{'s':'text','b':true,'i':7,'n':0.5,'l':['x','y'],'o':{'k':'v'},'e':'red'}");

    assertThat(fields.requiredString("s", 10)).isEqualTo("text");
    assertThat(fields.bool("b", false)).isTrue();
    assertThat(fields.integer("i", 0, 1, 10)).isEqualTo(7);
    assertThat(fields.number("n", 0, 1)).isEqualTo(0.5);
    assertThat(fields.strings("l", 2, 10)).containsExactly("x", "y");
    assertThat(fields.object("o").string("k", 10)).isEqualTo("v");
    assertThat(fields.oneOf("e", "blue", List.of("blue", "red"))).isEqualTo("red");
    fields.finish();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'s':null,'b':null,'i':null,'n':null,'l':null,'o':null,'e':null}"})
  void anAbsentFieldAndANullAreTheFallback(String body) {
    Fields fields = fields(body);

    assertThat(fields.string("s", "fallback", 10)).isEqualTo("fallback");
    assertThat(fields.string("s", 10)).isNull();
    assertThat(fields.bool("b", true)).isTrue();
    assertThat(fields.integer("i", 3, 1, 10)).isEqualTo(3);
    assertThat(fields.number("n", 0, 1)).isNull();
    assertThat(fields.strings("l", 2, 10)).isEmpty();
    assertThat(fields.object("o").string("k", 10)).isNull();
    assertThat(fields.oneOf("e", "blue", List.of("blue", "red"))).isEqualTo("blue");
    fields.finish();
  }

  @Test
  void aNullCanBeToldFromAnAbsentField() {
    Fields fields = fields("{'null':null,'text':'x'}");

    assertThat(fields.isNull("null")).isTrue();
    assertThat(fields.isNull("absent")).isFalse();
    assertThat(fields.isNull("text")).isFalse();
    assertThat(fields.has("null")).isFalse();
    assertThat(fields.has("text")).isTrue();
    fields.finish();
  }

  static Stream<Arguments> badInputs() {
    return Stream.of(
        bad("{}", f -> f.requiredString("x", 5), "x", "is required"),
        bad("{'x':null}", f -> f.requiredString("x", 5), "x", "is required"),
        bad("{'x':''}", f -> f.requiredString("x", 5), "x", "must not be blank"),
        bad("{'x':' \\t'}", f -> f.requiredString("x", 5), "x", "must not be blank"),
        bad("{'x':7}", f -> f.requiredString("x", 5), "x", "must be a string"),
        bad("{'x':['a']}", f -> f.string("x", 5), "x", "must be a string"),
        bad("{'x':'abcdef'}", f -> f.string("x", 5), "x", "must have at most 5 characters"),
        bad("{'x':'a\\u0000'}", f -> f.string("x", 5), "x", "must not contain a NUL character"),
        bad("{'x':'\\ud800'}", f -> f.string("x", 5), "x", "half of a surrogate pair"),
        bad("{'x':'\\udc00a'}", f -> f.string("x", 5), "x", "half of a surrogate pair"),
        bad("{'x':'true'}", f -> f.bool("x", false), "x", "must be true or false"),
        bad("{'x':1}", f -> f.bool("x", false), "x", "must be true or false"),
        bad("{'x':'7'}", f -> f.integer("x", 1, 10), "x", "must be a whole number"),
        bad("{'x':7.5}", f -> f.integer("x", 1, 10), "x", "must be a whole number"),
        bad("{'x':1e400}", f -> f.integer("x", 1, 10), "x", "must be a whole number"),
        bad("{'x':0}", f -> f.integer("x", 1, 10), "x", "must be between 1 and 10"),
        bad("{'x':11}", f -> f.integer("x", 1, 10), "x", "must be between 1 and 10"),
        bad("{'x':99999999999}", f -> f.integer("x", 1, 10), "x", "must be between 1 and 10"),
        bad("{'x':'0.5'}", f -> f.number("x", 0, 1), "x", "must be a number"),
        bad("{'x':true}", f -> f.number("x", 0, 1), "x", "must be a number"),
        bad("{'x':1.01}", f -> f.number("x", 0, 1), "x", "must be between 0.0 and 1.0"),
        bad("{'x':-1e999}", f -> f.number("x", 0, 1), "x", "must be between 0.0 and 1.0"),
        bad("{'x':'a'}", f -> f.strings("x", 2, 5), "x", "must be an array of strings"),
        bad("{'x':['a','b','c']}", f -> f.strings("x", 2, 5), "x", "must have at most 2 items"),
        bad("{'x':['a',null]}", f -> f.strings("x", 2, 5), "x[1]", "must be a string"),
        bad("{'x':['a','a']}", f -> f.strings("x", 2, 5), "x[1]", "'a' is named twice"),
        bad("{'x':['abcdef']}", f -> f.strings("x", 2, 5), "x[0]", "at most 5 characters"),
        bad("{'x':'green'}", f -> f.oneOf("x", "red", List.of("red")), "x", "must be one of red"),
        bad("{'x':7}", f -> f.oneOf("x", "red", List.of("red")), "x", "must be a string"),
        bad("{'x':7}", f -> f.object("x"), "x", "must be an object"),
        bad("{'x':{}}", f -> f.object("x").requiredString("y", 5), "x.y", "is required"),
        bad("{'x':{'y':1}}", f -> f.object("x").complete(), "x.y", "is not a field here"),
        bad("{'y':1}", f -> f.string("x", 5), "y", "is not a field here; known are x"));
  }

  @ParameterizedTest
  @MethodSource("badInputs")
  void aBadFieldIsRefusedByItsNameWithTheReason(
      String body, Consumer<Fields> reading, String field, String reason) {
    Fields fields = fields(body);
    reading.accept(fields);

    EngineException refusal = catchThrowableOfType(EngineException.class, fields::finish);

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refusal.details()).hasSize(1);
    assertThat(refusal.details().getFirst().field()).isEqualTo(field);
    assertThat(refusal.details().getFirst().message()).contains(reason);
    assertThat(refusal).hasMessageContaining(field).hasMessageContaining(reason);
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    Fields fields = fields("{'name':7,'steps':0,'typo':true}");
    fields.requiredString("name", 10);
    fields.integer("steps", 1, 1, 10);
    fields.requiredString("model", 10);

    EngineException refusal = catchThrowableOfType(EngineException.class, fields::finish);

    assertThat(refusal.details().stream().map(detail -> detail.field()))
        .containsExactly("name", "steps", "model", "typo");
    assertThat(refusal).hasMessage("name: must be a string (and 3 more)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "7", "null", "'text'", "true"})
  void aBodyMustBeAnObject(String body) {
    refused(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8), "must be a JSON object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{'a':1}}", "{'a':1} x", "{'a':1,'a':2}", "{a:1}", "x", "{'a':01}"})
  void aBodyMustBeJson(String body) {
    refused(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8), "not valid JSON");
  }

  @Test
  void aBodyMustBeThereInUtf8AndNotTooDeep() {
    refused(new byte[0], "the body is empty");
    refused(" ".getBytes(StandardCharsets.UTF_8), "the body is empty");
    refused(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}, "not valid UTF-8");
    refused("[".repeat(5_000).getBytes(StandardCharsets.UTF_8), "not valid JSON");
  }

  private static void refused(byte[] body, String reason) {
    EngineException refusal =
        catchThrowableOfType(EngineException.class, () -> Fields.of(Json.parseRequest(body)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refusal).hasMessageContaining(reason);
    assertThat(refusal.reason()).hasLineCount(1);
  }

  private static Arguments bad(String body, Consumer<Fields> reading, String field, String reason) {
    return Arguments.of(body, reading, field, reason);
  }

  private static Fields fields(String body) {
    return Fields.of(Json.parseRequest(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }
}
