package agentengine.architecture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.Engine;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArchitectureTest {
  private static final String FIXTURES = "agentengine.architecture.fixtures";

  private static final JavaClasses PROGRAM =
      new ClassFileImporter()
          .importUrl(Engine.class.getProtectionDomain().getCodeSource().getLocation());

  private static final JavaClasses OFFENDERS = new ClassFileImporter().importPackages(FIXTURES);

  @ParameterizedTest
  @EnumSource
  void the_program_keeps_the_rule(Rule rule) {
    rule.on("agentengine").check(PROGRAM);
  }

  /** A house of the same plan, with an offender for every rule in it. */
  @ParameterizedTest
  @EnumSource
  void the_rule_finds_who_breaks_it(Rule rule) {
    assertThatThrownBy(() -> rule.on(FIXTURES).check(OFFENDERS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(rule.offences().toArray(String[]::new));
  }
}
