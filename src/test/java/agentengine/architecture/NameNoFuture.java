package agentengine.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** One request, one thread: nobody is handed something to wait for or to subscribe to. */
final class NameNoFuture extends ArchCondition<JavaCodeUnit> {
  private static final List<Class<?>> TYPES =
      List.of(
          Future.class,
          CompletionStage.class,
          Flow.Publisher.class,
          Flow.Subscriber.class,
          Flow.Processor.class);

  private static final List<String> LIBRARIES =
      List.of("org.reactivestreams.", "reactor.", "io.reactivex.", "io.smallrye.mutiny.");

  NameNoFuture() {
    super("name no future or reactive type");
  }

  @Override
  public void check(JavaCodeUnit unit, ConditionEvents events) {
    Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
        .map(JavaType::getAllInvolvedRawTypes)
        .flatMap(types -> types.stream().filter(NameNoFuture::isFuture))
        .forEach(
            type ->
                events.add(
                    SimpleConditionEvent.violated(
                        unit, unit.getFullName() + " names " + type.getName())));
  }

  private static boolean isFuture(JavaClass type) {
    return TYPES.stream().anyMatch(type::isAssignableTo)
        || LIBRARIES.stream().anyMatch(library -> type.getName().startsWith(library));
  }
}
