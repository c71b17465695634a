package agentengine.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tokens made by hand, so that a test can also make those that no library would. */
final class TestJwts {
  static final String EDDSA = "{\"alg\":\"EdDSA\",\"typ\":\"JWT\"}";

  private TestJwts() {}

  static String signed(PrivateKey key, String claims) {
    return signed(key, EDDSA, claims);
  }

  static String signed(PrivateKey key, String header, String claims) {
    return signed("Ed25519", key, header, claims);
  }

  static String signed(String algorithm, PrivateKey key, String header, String claims) {
    String content = base64(header) + "." + base64(claims);
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(content.getBytes(StandardCharsets.US_ASCII));
      return content + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String signedWithSecret(byte[] secret, String header, String claims) {
    String content = base64(header) + "." + base64(claims);
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return content + "." + base64(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String base64(String text) {
    return base64(text.getBytes(StandardCharsets.UTF_8));
  }

  static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
