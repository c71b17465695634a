package agentengine.auth;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;

/** The JDK's own Ed25519: new keys, and keys from their encoded forms. */
final class Ed25519 {
  private static final String NAME = "Ed25519";
  private static final int RAW_KEY_BYTES = 32;

  /** What stands before the 32 bytes of a key in a SubjectPublicKeyInfo (RFC 8410). */
  private static final byte[] SPKI_HEADER = HexFormat.of().parseHex("302a300506032b6570032100");

  private Ed25519() {}

  static KeyPair generate() {
    try {
      return KeyPairGenerator.getInstance(NAME).generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java since 15 has Ed25519", e);
    }
  }

  static PublicKey publicKey(byte[] subjectPublicKeyInfo) throws GeneralSecurityException {
    return KeyFactory.getInstance(NAME)
        .generatePublic(new X509EncodedKeySpec(subjectPublicKeyInfo));
  }

  static PublicKey publicKeyOfRaw(byte[] raw) throws GeneralSecurityException {
    if (raw.length != RAW_KEY_BYTES) {
      throw new GeneralSecurityException(
          "the key has " + raw.length + " bytes where " + RAW_KEY_BYTES + " are needed");
    }
    byte[] whole = new byte[SPKI_HEADER.length + RAW_KEY_BYTES];
    System.arraycopy(SPKI_HEADER, 0, whole, 0, SPKI_HEADER.length);
    System.arraycopy(raw, 0, whole, SPKI_HEADER.length, RAW_KEY_BYTES);
    return publicKey(whole);
  }

  static PrivateKey privateKey(byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }
}
