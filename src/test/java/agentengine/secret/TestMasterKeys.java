package agentengine.secret;

import java.util.Base64;

/** Keys that tests can tell apart. */
final class TestMasterKeys {
  private TestMasterKeys() {}

  static MasterKey ofByte(int first) {
    byte[] key = new byte[32];
    key[0] = (byte) first;
    return MasterKey.ofBase64(Base64.getEncoder().encodeToString(key));
  }
}
