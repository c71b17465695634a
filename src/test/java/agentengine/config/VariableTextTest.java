package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VariableTextTest {
  @ParameterizedTest
  @CsvSource({
    "${A}, <A>",
    "x${A}y${B_2}z, x<A>y<B_2>z",
    "$${A}, ${A}",
    "$$${A}, $${A}",
    "$${A}${A}, ${A}<A>",
    "$A {A} ${} ${1} ${A-b} ${ A }, $A {A} ${} ${1} ${A-b} ${ A }"
  })
  void a_written_text_stands_for_another(String written, String text) {
    assertThat(VariableText.resolved(written, name -> "<" + name + ">")).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "$", "${A}", "$${A}", "$$$${A}${B}$", "${", "{A}", "$ {A}", "$$"})
  void every_text_can_be_written_without_a_reference(String text) {
    String written = VariableText.escaped(text);

    assertThat(VariableText.hasReference(written)).isFalse();
    assertThat(VariableText.resolved(written, name -> "<" + name + ">")).isEqualTo(text);
  }
}
