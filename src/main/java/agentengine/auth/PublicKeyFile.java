package agentengine.auth;

import agentengine.error.EngineException;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads an Ed25519 public key from a file: PEM (SubjectPublicKeyInfo) or JWK. */
final class PublicKeyFile {
  private static final int MAX_BYTES = 64 * 1024;
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN ([A-Z0-9 ]+)-----\\s+([A-Za-z0-9+/=\\s]+)-----END \\1-----", Pattern.DOTALL);

  private PublicKeyFile() {}

  static PublicKey read(Path file) {
    try {
      String text = text(file).strip();
      return text.startsWith("{") ? ofJwk(text) : ofPem(text);
    } catch (NoSuchFileException _) {
      throw refuse(file, "it does not exist");
    } catch (AccessDeniedException _) {
      throw refuse(file, "it may not be read by this user");
    } catch (IOException _) {
      throw refuse(file, "it cannot be read");
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw refuse(file, e.getMessage() == null ? "it is damaged" : e.getMessage());
    } catch (EngineException _) {
      throw refuse(file, "it is not valid JSON");
    }
  }

  private static IllegalArgumentException refuse(Path file, String reason) {
    return new IllegalArgumentException("the key file " + file + " cannot be used: " + reason);
  }

  private static String text(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException("it is a directory");
    }
    if (Files.size(file) > MAX_BYTES) {
      throw new IllegalArgumentException("it is too large to be a key");
    }
    // Latin-1 takes any byte, so that a binary file gets the same answer as any other non-key.
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static PublicKey ofPem(String text) throws GeneralSecurityException {
    Matcher pem = PEM.matcher(text);
    if (!pem.find()) {
      throw new IllegalArgumentException(
          "it is neither PEM (-----BEGIN PUBLIC KEY-----) nor a JWK ({\"kty\":\"OKP\", ...})");
    }
    if (!pem.group(1).equals("PUBLIC KEY")) {
      throw new IllegalArgumentException(
          "it holds a "
              + pem.group(1)
              + "; a PUBLIC KEY is needed (openssl pkey -in private.pem -pubout)");
    }
    byte[] encoded = decode(Base64.getMimeDecoder(), pem.group(2));
    try {
      return Ed25519.publicKey(encoded);
    } catch (GeneralSecurityException e) {
      throw new GeneralSecurityException("its key is not an Ed25519 key", e);
    }
  }

  private static PublicKey ofJwk(String text) throws GeneralSecurityException {
    JsonNode jwk = Json.parseRequest(text.getBytes(StandardCharsets.ISO_8859_1));
    if (jwk.has("keys")) {
      throw new IllegalArgumentException("it is a set of keys; a single JWK is needed");
    }
    if (jwk.has("d")) {
      throw new IllegalArgumentException("it holds a private key; leave out its \"d\"");
    }
    if (!jwk.path("kty").asText().equals("OKP") || !jwk.path("crv").asText().equals("Ed25519")) {
      throw new IllegalArgumentException(
          "its key is not an Ed25519 key: \"kty\" must be \"OKP\" and \"crv\" \"Ed25519\"");
    }
    return Ed25519.publicKeyOfRaw(decode(Base64.getUrlDecoder(), jwk.path("x").asText()));
  }

  private static byte[] decode(Base64.Decoder decoder, String text) {
    try {
      return decoder.decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("its key is not valid base64", e);
    }
  }
}
