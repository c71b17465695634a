package agentengine.auth;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens whose signature was found good of late, by their hash, because checking one costs more
 * than many a request. When full it forgets the one that was not used for the longest time.
 */
final class VerifiedTokens {
  private static final float LOAD_FACTOR = 0.75f;

  private final Map<String, JwtClaims> byHash;

  VerifiedTokens(int capacity) {
    byHash =
        new LinkedHashMap<>(16, LOAD_FACTOR, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, JwtClaims> eldest) {
            return size() > capacity;
          }
        };
  }

  synchronized @Nullable JwtClaims find(String hash) {
    return byHash.get(hash);
  }

  synchronized void remember(String hash, JwtClaims claims) {
    byHash.put(hash, claims);
  }

  synchronized int size() {
    return byHash.size();
  }
}
