package agentengine.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;

/** What is visible outside a package, or in another one. */
final class NotInsideOf extends DescribedPredicate<JavaCodeUnit> {
  private final String packageName;

  NotInsideOf(String packageName) {
    super("are not only visible inside %s", packageName);
    this.packageName = packageName;
  }

  @Override
  public boolean test(JavaCodeUnit unit) {
    boolean isPublic =
        unit.getModifiers().contains(JavaModifier.PUBLIC)
            && unit.getOwner().getModifiers().contains(JavaModifier.PUBLIC);
    return isPublic || !unit.getOwner().getPackageName().equals(packageName);
  }
}
