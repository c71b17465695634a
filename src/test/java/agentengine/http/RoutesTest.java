package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.auth.Scope;
import agentengine.testing.OpenApiContract;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.RecordComponent;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoutesTest {
  private final List<Route> routes =
      Api.routes(hollow(Api.Capabilities.class), hollow(Api.Environment.class));

  @Test
  void the_table_and_the_document_name_the_same_routes_with_the_same_scopes() {
    Map<String, Set<String>> table = new TreeMap<>();
    for (Route route : routes) {
      table.put(name(route), scopes(route.access()));
    }

    assertThat(table).isEqualTo(OpenApiContract.instance().requiredScopes());
  }

  @Test
  void no_route_is_in_the_table_twice() {
    assertThat(routes.stream().map(RoutesTest::name)).doesNotHaveDuplicates();
  }

  @Test
  void a_literal_segment_wins_over_a_parameter_in_any_order() {
    Route literal = Route.get("/a/fixed", Access.PUBLIC, _ -> {});
    Route named = Route.get("/a/{name}", Access.PUBLIC, _ -> {});

    for (List<Route> order : List.of(List.of(literal, named), List.of(named, literal))) {
      RouteTable table = new RouteTable(order);
      assertThat(found(table, "fixed")).isEqualTo(literal);
      assertThat(found(table, "other")).isEqualTo(named);
    }
  }

  @Test
  void a_literal_path_hides_every_method_of_one_with_a_parameter() {
    RouteTable table =
        new RouteTable(
            List.of(
                Route.put("/a/{name}", Access.PUBLIC, _ -> {}),
                Route.get("/a/fixed", Access.PUBLIC, _ -> {}),
                Route.delete("/a/{name}", Access.PUBLIC, _ -> {})));

    assertThat(table.match(io.helidon.http.Method.PUT, List.of("", "a", "fixed")))
        .isEqualTo(new RouteTable.Match.OtherMethod("GET, HEAD, OPTIONS"));
  }

  private static @Nullable Route found(RouteTable table, String name) {
    return table.match(io.helidon.http.Method.GET, List.of("", "a", name))
            instanceof RouteTable.Match.Found(Route route, var _)
        ? route
        : null;
  }

  private static String name(Route route) {
    return route.method().text() + " " + route.path();
  }

  private static Set<String> scopes(Access access) {
    return switch (access) {
      case Access.Public() -> Set.of();
      case Access.AnyOf(Set<Scope> scopes) ->
          scopes.stream().map(Scope::wireName).collect(Collectors.toSet());
    };
  }

  /** A record with hardly anything in it: the table is read here, and no handler runs. */
  private static <T extends Record> T hollow(Class<T> type) {
    List<@Nullable Object> parts = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Class<?> part = component.getType();
      if (part == PrometheusMeterRegistry.class) {
        parts.add(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
      } else {
        parts.add(part == InstantSource.class ? InstantSource.system() : null);
      }
    }
    Class<?>[] types =
        Stream.of(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types).newInstance(parts.toArray());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
