package agentengine.model;

import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request to a provider, ready to be sent; its headers hold the key and are never shown. */
final class ProviderRequest {
  private final String url;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final byte[] body;

  ProviderRequest(String url, ObjectNode body) {
    this.url = url;
    this.body = Json.writeBytes(body);
  }

  /** Adds the key, if there is one. */
  ProviderRequest withKey(String header, String prefix, @Nullable Secret key) {
    if (key != null) {
      headers.put(header, prefix + key.reveal());
    }
    return this;
  }

  ProviderRequest with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  String url() {
    return url;
  }

  Map<String, String> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }
}
