package agentengine.model;

import agentengine.secret.Secret;
import java.net.URI;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A model as an operator declared it: which provider, where, by which name and with which key. */
public record ModelRecord(
    long id,
    String name,
    ProviderKind kind,
    String modelName,
    @Nullable String declaredBaseUrl,
    @Nullable Secret apiKey,
    Instant createdAt) {

  private static final Pattern HOST_ALONE = Pattern.compile("https?://[^/?]+/?");

  /** The id of a record that a request brought: it is in no store. */
  public static final long NOT_STORED = 0;

  /** Whether it came with a request, so that nothing of it may outlive the turn. */
  public boolean cameWithRequest() {
    return id == NOT_STORED;
  }

  /** The declared address, or the provider's own. */
  public String baseUrl() {
    String fallback = kind.defaultBaseUrl();
    if (declaredBaseUrl != null) {
      return declaredBaseUrl;
    }
    return fallback == null ? "" : fallback;
  }

  /**
   * Where it is called. A host alone gets the path of the provider's own address: people leave out
   * the version that it stands for.
   */
  String address() {
    String own = kind.defaultBaseUrl();
    if (declaredBaseUrl == null || own == null || !HOST_ALONE.matcher(declaredBaseUrl).matches()) {
      return baseUrl();
    }
    return declaredBaseUrl.replaceFirst("/$", "") + URI.create(own).getPath();
  }
}
