package agentengine.secret;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The key under which secrets are encrypted at rest, AES-256-GCM, and records are marked. */
public final class MasterKey {
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  private MasterKey(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /**
   * The key from its base64 form.
   *
   * @throws IllegalArgumentException when it is not base64 of 32 bytes
   */
  public static MasterKey ofBase64(String text) {
    byte[] bytes = Base64.getDecoder().decode(text.strip());
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "it has " + bytes.length + " bytes where " + KEY_BYTES + " are needed");
    }
    return new MasterKey(bytes);
  }

  /** The key in a file that only its owner may read; made on first use. */
  public static MasterKey ofFile(Path file) throws IOException {
    try {
      byte[] fresh = new byte[KEY_BYTES];
      RANDOM.nextBytes(fresh);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(
          file,
          Base64.getEncoder().encodeToString(fresh) + "\n",
          StandardOpenOption.WRITE,
          StandardOpenOption.SYNC);
    } catch (FileAlreadyExistsException _) {
      // Made by an earlier start.
    }
    return ofExistingFile(file);
  }

  /** The key in a file that an engine has made. */
  public static MasterKey ofExistingFile(Path file) throws IOException {
    try {
      return ofBase64(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException("the key file " + file + " is damaged: " + e.getMessage(), e);
    }
  }

  /** Encrypts a text; the purpose is bound to it, so that it cannot be used in another place. */
  public String seal(Secret secret, String purpose) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, nonce, purpose)
              .doFinal(secret.reveal().getBytes(StandardCharsets.UTF_8));
      byte[] whole = new byte[NONCE_BYTES + sealed.length];
      System.arraycopy(nonce, 0, whole, 0, NONCE_BYTES);
      System.arraycopy(sealed, 0, whole, NONCE_BYTES, sealed.length);
      return Base64.getEncoder().encodeToString(whole);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is not available", e);
    }
  }

  /**
   * Decrypts what {@link #seal} gave.
   *
   * @throws WrongKeyException when this is not the key it was sealed with
   */
  public Secret open(String sealed, String purpose) {
    try {
      byte[] whole = Base64.getDecoder().decode(sealed);
      byte[] nonce = Arrays.copyOf(whole, NONCE_BYTES);
      byte[] text =
          cipher(Cipher.DECRYPT_MODE, nonce, purpose)
              .doFinal(whole, NONCE_BYTES, whole.length - NONCE_BYTES);
      return new Secret(new String(text, StandardCharsets.UTF_8));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new WrongKeyException(e);
    }
  }

  /** Marks a text so that nobody without this key can make the mark: HMAC-SHA256, in hex. */
  public String mark(String text, String purpose) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      // A key of its own for each purpose; the master key itself only encrypts.
      mac.init(new SecretKeySpec(key.getEncoded(), "HmacSHA256"));
      byte[] derived = mac.doFinal(("mark:" + purpose).getBytes(StandardCharsets.UTF_8));
      mac.init(new SecretKeySpec(derived, "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA256 is not available", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String purpose) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /** The master key does not open what is in the database. */
  public static final class WrongKeyException extends RuntimeException {
    WrongKeyException(Throwable cause) {
      super("the master key does not open what is stored", cause);
    }
  }
}
