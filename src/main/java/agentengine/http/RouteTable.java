package agentengine.http;

import io.helidon.http.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request; a path with a literal segment hides one with a parameter. */
final class RouteTable {
  /** What a request's path leads to. */
  sealed interface Match {
    record Found(Route route, Map<String, String> parameters) implements Match {}

    /** The path is there, with other methods. */
    record OtherMethod(String allow) implements Match {}

    record Nothing() implements Match {}
  }

  private record Entry(Route route, List<String> segments) {}

  private final List<Entry> entries = new ArrayList<>();

  RouteTable(List<Route> routes) {
    for (Route route : routes) {
      entries.add(new Entry(route, List.of(route.path().split("/", -1))));
    }
  }

  List<Route> routes() {
    return entries.stream().map(Entry::route).toList();
  }

  Match match(Method method, List<String> segments) {
    Method asked = method.equals(Method.HEAD) ? Method.GET : method;
    Route found = null;
    Map<String, String> itsParameters = Map.of();
    int fewestParameters = Integer.MAX_VALUE;
    Set<String> allowed = new TreeSet<>();
    for (Entry entry : entries) {
      Map<String, String> parameters = parameters(entry.segments(), segments);
      if (parameters == null || parameters.size() > fewestParameters) {
        continue;
      }
      if (parameters.size() < fewestParameters) {
        fewestParameters = parameters.size();
        found = null;
        allowed.clear();
      }
      addAllowed(allowed, entry.route().method());
      if (entry.route().method().equals(asked)) {
        found = entry.route();
        itsParameters = parameters;
      }
    }
    if (found != null) {
      return new Match.Found(found, itsParameters);
    }
    return allowed.isEmpty()
        ? new Match.Nothing()
        : new Match.OtherMethod(String.join(", ", allowed));
  }

  private static void addAllowed(Set<String> allowed, Method method) {
    allowed.add(method.text());
    allowed.add(Method.OPTIONS.text());
    if (method.equals(Method.GET)) {
      allowed.add(Method.HEAD.text());
    }
  }

  private static @Nullable Map<String, String> parameters(
      List<String> template, List<String> segments) {
    if (template.size() != segments.size()) {
      return null;
    }
    Map<String, String> parameters = Map.of();
    for (int i = 0; i < template.size(); i++) {
      String part = template.get(i);
      String segment = segments.get(i);
      if (part.startsWith("{")) {
        if (segment.isEmpty()) {
          return null;
        }
        if (parameters.isEmpty()) {
          parameters = new HashMap<>();
        }
        parameters.put(part.substring(1, part.length() - 1), segment);
      } else if (!part.equals(segment)) {
        return null;
      }
    }
    return parameters;
  }
}
