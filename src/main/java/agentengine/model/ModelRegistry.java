package agentengine.model;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The catalogue of known models; its file is read when somebody asks for the first time. */
public final class ModelRegistry {
  /** Which models are wanted; null leaves a field open. */
  public record Filter(
      @Nullable String provider, @Nullable Integer tier, @Nullable Boolean supportsTools) {

    boolean admits(RegistryModel model) {
      return (provider == null || provider.equals(model.provider()))
          && (tier == null || tier == model.tier())
          && (supportsTools == null || supportsTools == model.supportsTools());
    }
  }

  /** What a provider adds to the name of a model to say which edition of it is meant. */
  private static final Pattern EDITION = Pattern.compile("-(\\d{8}|\\d{4}-\\d{2}-\\d{2}|latest)$");

  private volatile @Nullable RegistryFile file;

  /** The models that fit, in the order of the file: provider, tier, id. */
  public List<RegistryModel> models(Filter filter) {
    return file().models().stream().filter(filter::admits).toList();
  }

  public List<RegistryProvider> providers() {
    return file().providers();
  }

  /**
   * What the catalogue says about the model that a record names. Anybody's endpoint may be of the
   * generic kind, and call its models as it likes: there the address must be the provider's own,
   * and those are all public.
   */
  public Optional<RegistryModel> entryFor(ModelRecord model) {
    boolean generic = model.kind() == ProviderKind.OPENAI_COMPATIBLE;
    if (generic && !model.baseUrl().startsWith("https:")) {
      return Optional.empty();
    }
    Map<String, RegistryModel> known = file().byKind(model.kind());
    RegistryModel entry = known.get(model.modelName());
    if (entry == null) {
      entry = known.get(EDITION.matcher(model.modelName()).replaceFirst(""));
    }
    return Optional.ofNullable(entry).filter(found -> !generic || isAt(model, found));
  }

  private boolean isAt(ModelRecord model, RegistryModel entry) {
    return providers().stream()
        .filter(provider -> provider.id().equals(entry.provider()))
        .map(RegistryProvider::defaultBaseUrl)
        .anyMatch(address -> address != null && host(address).equals(host(model.baseUrl())));
  }

  private static String host(String url) {
    try {
      String host = new URI(url).getHost();
      return host == null ? "" : host.toLowerCase(Locale.ROOT);
    } catch (URISyntaxException _) {
      return "";
    }
  }

  private RegistryFile file() {
    RegistryFile known = file;
    return known == null ? read() : known;
  }

  private synchronized RegistryFile read() {
    RegistryFile known = file;
    if (known == null) {
      known = RegistryFile.read();
      file = known;
    }
    return known;
  }
}
