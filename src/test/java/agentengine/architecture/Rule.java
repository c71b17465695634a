package agentengine.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The rules of the house, each for a root package, so that each can be shown to fail as well. */
@SuppressWarnings("ImmutableEnumChecker") // functions and lists that nobody changes
enum Rule {
  EVERY_CLASS_IS_IN_A_KNOWN_PACKAGE(
      root -> classes().should().resideInAnyPackage(Packages.all(root)), "stray.Unlisted"),

  A_PACKAGE_USES_ONLY_PACKAGES_BEFORE_IT(
      root -> classes().should(new UsesOnlyEarlierPackages(root)), "error.UsesALaterPackage"),

  THE_SIMULATOR_USES_NOTHING_OF_OURS(
      root ->
          noClasses()
              .that()
              .resideInAPackage(root + ".simulator..")
              .should()
              .dependOnClassesThat(
                  resideInAPackage(root + "..").and(resideOutsideOfPackage(root + ".simulator.."))),
      "simulator.UsesOthers"),

  PACKAGES_HAVE_NO_CYCLES(
      root -> slices().matching(root + ".(*)..").should().beFreeOfCycles(),
      "audit.Here",
      "auth.There"),

  SQL_STAYS_WITH_THE_CAPABILITIES(
      root ->
          noClasses()
              .that()
              .resideInAnyPackage(
                  Packages.of(root, "http", "cli", "simulator", "json", "error", "time", "log"))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("org.jdbi..", "java.sql..", "javax.sql..", "org.flywaydb.."),
      "json.UsesSql"),

  ONLY_SERVERS_KNOW_HELIDON(
      root ->
          noClasses()
              .that()
              .resideOutsideOfPackages(Packages.of(root, "http", "simulator"))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("io.helidon.."),
      "time.UsesHelidon"),

  ONLY_TRACE_KNOWS_OPENTELEMETRY(
      root ->
          noClasses()
              .that()
              .resideOutsideOfPackages(Packages.of(root, "trace"))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("io.opentelemetry.."),
      "limit.UsesOpenTelemetry"),

  NOBODY_IS_GIVEN_A_FUTURE(
      root ->
          codeUnits()
              .that()
              .areNotPrivate()
              // Where callers of the single writer wait for it.
              .and(new NotInsideOf(root + ".db"))
              .should(new NameNoFuture()),
      "limit.PromisesThings.later()",
      "limit.PromisesThings.whenDone(",
      "limit.PromisesThings.allOf("),

  NOTHING_STATIC_CHANGES(
      root -> fields().that().areStatic().should().beFinal(), "limit.KeepsState.counter"),

  ONLY_THE_COMMAND_LINE_PRINTS(
      root ->
          noClasses()
              .that()
              .resideOutsideOfPackages(root, root + ".cli..")
              .should()
              .accessField(System.class, "out")
              .orShould()
              .accessField(System.class, "err")
              .orShould()
              .callMethodWhere(
                  describe(
                      "print a stack trace",
                      call ->
                          call.getTarget().getName().equals("printStackTrace")
                              && call.getTarget().getRawParameterTypes().isEmpty())),
      "limit.Prints.line()",
      "limit.Prints.complaint()",
      "limit.Prints.trace("),

  TIME_IS_INJECTED(
      root ->
          classes()
              .that()
              // Where the process meets its surroundings; the simulator plays a foreign server.
              .resideOutsideOfPackages(root, root + ".cli..", root + ".simulator..")
              .should(new NotReadTheClock()),
      "Instant.now()",
      "LocalDate.now()",
      "Clock.systemUTC()",
      "InstantSource.system()",
      "java.util.Date.<init>()",
      "System.currentTimeMillis()");

  private final Function<String, ArchRule> rule;
  private final List<String> offences;

  Rule(Function<String, ArchRule> rule, String... offences) {
    this.rule = rule;
    this.offences = List.of(offences);
  }

  ArchRule on(String root) {
    return rule.apply(root).as(name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }

  /** What the rule must find among the offenders. */
  List<String> offences() {
    return offences;
  }
}
