package agentengine.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** The allow-list: a class uses, of our own, only its package and those before it. */
final class UsesOnlyEarlierPackages extends ArchCondition<JavaClass> {
  private final String root;

  UsesOnlyEarlierPackages(String root) {
    super("use only packages before their own");
    this.root = root;
  }

  @Override
  public void check(JavaClass user, ConditionEvents events) {
    for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
      if (place(dependency.getTargetClass().getBaseComponentType()) > place(user)) {
        events.add(SimpleConditionEvent.violated(user, dependency.getDescription()));
      }
    }
  }

  /** Where a class stands in the order; what is not ours stands before everything. */
  private int place(JavaClass type) {
    String name = type.getPackageName();
    if (name.equals(root)) {
      return Packages.ORDER.size();
    }
    return name.startsWith(root + ".")
        ? Packages.ORDER.indexOf(name.substring(root.length() + 1).split("\\.", 2)[0])
        : -1;
  }
}
