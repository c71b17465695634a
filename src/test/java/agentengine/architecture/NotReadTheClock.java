package agentengine.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** Asks no clock of the machine for the time of day; how long something takes is another matter. */
final class NotReadTheClock extends ArchCondition<JavaClass> {
  private static final Set<String> CLOCKS = Set.of("java.time.Clock", "java.time.InstantSource");

  NotReadTheClock() {
    super("not read the clock of the machine");
  }

  @Override
  public void check(JavaClass type, ConditionEvents events) {
    // Accesses are calls and method references.
    for (JavaCodeUnitAccess<?> access : type.getCodeUnitAccessesFromSelf()) {
      if (readsTheClock(access.getTarget())) {
        events.add(SimpleConditionEvent.violated(type, access.getDescription()));
      }
    }
  }

  private static boolean readsTheClock(CodeUnitAccessTarget target) {
    String owner = target.getOwner().getName();
    String name = target.getName();
    return (owner.startsWith("java.time.") && name.equals("now"))
        || (CLOCKS.contains(owner) && (name.startsWith("system") || name.startsWith("tick")))
        || (owner.equals("java.lang.System") && name.equals("currentTimeMillis"))
        || (owner.equals("java.util.Date")
            && name.equals("<init>")
            && target.getRawParameterTypes().isEmpty())
        || (owner.equals("java.util.Calendar") && name.equals("getInstance"));
  }
}
