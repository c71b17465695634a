package agentengine.trace;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Spans as a person reads them. */
final class Spans {
  private Spans() {}

  /** A line for each span with its kind, indented below its parent, siblings by name. */
  static String tree(List<Span> spans) {
    StringBuilder text = new StringBuilder();
    spans.stream()
        .filter(span -> spans.stream().noneMatch(other -> isChild(span, other)))
        .sorted(Comparator.comparing(Span::getName))
        .forEach(root -> write(text, spans, root, 0));
    return text.toString();
  }

  private static void write(StringBuilder text, List<Span> spans, Span span, int depth) {
    text.append("  ".repeat(depth))
        .append(span.getName())
        .append(' ')
        .append(span.getKind().name().replace("SPAN_KIND_", ""))
        .append('\n');
    spans.stream()
        .filter(other -> isChild(other, span))
        .sorted(Comparator.comparing(Span::getName))
        .forEach(child -> write(text, spans, child, depth + 1));
  }

  private static boolean isChild(Span span, Span parent) {
    return span.getParentSpanId().equals(parent.getSpanId())
        && span.getTraceId().equals(parent.getTraceId());
  }

  static Span named(List<Span> spans, String name) {
    return all(spans, name).getFirst();
  }

  /** All of a name, the oldest first. */
  static List<Span> all(List<Span> spans, String name) {
    return spans.stream()
        .filter(span -> span.getName().equals(name))
        .sorted(Comparator.comparingLong(Span::getStartTimeUnixNano))
        .toList();
  }

  static Map<String, String> attributes(Span span) {
    Map<String, String> attributes = new TreeMap<>();
    for (KeyValue attribute : span.getAttributesList()) {
      attributes.put(attribute.getKey(), text(attribute.getValue()));
    }
    return attributes;
  }

  static String text(AnyValue value) {
    return value.hasIntValue() ? String.valueOf(value.getIntValue()) : value.getStringValue();
  }

  /** What went wrong, or "" where the status is not that of an error. */
  static String problem(Span span) {
    return span.getStatus().getCodeValue() == 2
        ? attributes(span).getOrDefault("error.type", "unnamed")
        : "";
  }
}
