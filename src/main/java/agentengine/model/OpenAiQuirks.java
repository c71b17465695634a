package agentengine.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Where the kinds of provider that speak OpenAI's protocol differ from each other. */
record OpenAiQuirks(ModelTarget target) {
  private static final String COMPLETIONS = "/chat/completions";
  private static final String OPENAI = "https://api.openai.com/";

  /** The newest version of Azure's API that is not a preview. */
  private static final String AZURE_VERSION = "2024-10-21";

  private static final int MISTRAL_ID_LENGTH = 9;
  private static final String BASE_62 =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  String url() {
    return target.kind() == ProviderKind.AZURE_OPENAI ? azureUrl() : target.url(COMPLETIONS);
  }

  /**
   * Azure names the deployment in the path and wants an API version, unless the base URL is that of
   * its newer v1 API.
   */
  private String azureUrl() {
    String url = target.url("");
    String path = url.contains("?") ? url.substring(0, url.indexOf('?')) : url;
    if (path.endsWith("/openai/v1")) {
      return target.url(COMPLETIONS);
    }
    String deployment =
        path.contains("/openai/deployments/")
            ? ""
            : "/openai/deployments/" + WireText.pathSegment(target.model().modelName());
    String whole = target.url(deployment + COMPLETIONS);
    if (whole.contains("api-version=")) {
      return whole;
    }
    return whole + (whole.contains("?") ? "&" : "?") + "api-version=" + AZURE_VERSION;
  }

  /** Mistral and Z.ai count without being asked, and Mistral refuses fields it does not know. */
  boolean asksForUsage() {
    return target.kind() != ProviderKind.MISTRAL && target.kind() != ProviderKind.ZAI;
  }

  /** OpenAI's newer models refuse the name that everybody else knows. */
  String maxTokensField() {
    return target.kind() == ProviderKind.AZURE_OPENAI || target.baseUrl().startsWith(OPENAI)
        ? "max_completion_tokens"
        : "max_tokens";
  }

  /** DeepSeek insists on the thinking before a tool call, even where there is none to show. */
  void withoutThinking(ObjectNode assistantMessage) {
    if (target.kind() == ProviderKind.DEEPSEEK) {
      assistantMessage.put("reasoning_content", "");
    }
  }

  /** Mistral takes ids of nine letters and digits only; any that are the same for both sides do. */
  String callId(String id) {
    if (target.kind() != ProviderKind.MISTRAL) {
      return id;
    }
    byte[] hash = sha256(id);
    StringBuilder shortened = new StringBuilder(MISTRAL_ID_LENGTH);
    for (int i = 0; i < MISTRAL_ID_LENGTH; i++) {
      shortened.append(BASE_62.charAt(Math.floorMod(hash[i], BASE_62.length())));
    }
    return shortened.toString();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
