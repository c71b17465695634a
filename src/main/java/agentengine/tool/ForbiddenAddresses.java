package agentengine.tool;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Addresses that a call on somebody's behalf must not reach: link-local ones and the metadata
 * services of clouds, which hand credentials to whoever asks from the machine, and multicast.
 * Loopback and private networks are allowed: that is where people's own services are.
 */
final class ForbiddenAddresses {
  private static final Set<InetAddress> METADATA =
      Set.of(
          literal("169.254.169.254"),
          literal("100.100.100.200"),
          literal("192.0.0.192"),
          literal("168.63.129.16"),
          literal("fd00:ec2::254"),
          literal("fd20:ce::254"));

  private ForbiddenAddresses() {}

  static boolean contains(InetAddress address) {
    return withEmbedded(address)
        .anyMatch(
            each ->
                each.isLinkLocalAddress() || each.isMulticastAddress() || METADATA.contains(each));
  }

  /** The address itself and the IPv4 address that it may stand for. */
  private static Stream<InetAddress> withEmbedded(InetAddress address) {
    InetAddress plain = withoutZone(address);
    if (plain instanceof Inet4Address) {
      return Stream.of(plain);
    }
    return Stream.concat(
        Stream.of(plain), embedded(plain.getAddress()).map(ForbiddenAddresses::of));
  }

  private static Stream<byte[]> embedded(byte[] ip) {
    byte[] last = Arrays.copyOfRange(ip, 12, 16);
    return switch (prefix(ip)) {
      case 0x2002_0000 -> Stream.of(Arrays.copyOfRange(ip, 2, 6)); // 6to4
      case 0x2001_0000 -> Stream.of(inverted(last), Arrays.copyOfRange(ip, 4, 8)); // Teredo
      case 0x0064_ff9b -> Stream.of(last); // NAT64
      case 0 -> Stream.of(last); // IPv4-compatible, -mapped and -translated
      default -> isIsatap(ip) ? Stream.of(last) : Stream.empty();
    };
  }

  private static byte[] inverted(byte[] ip) {
    byte[] inverted = ip.clone();
    for (int i = 0; i < inverted.length; i++) {
      inverted[i] ^= (byte) 0xff;
    }
    return inverted;
  }

  /** The first four bytes; of 6to4 only the first two say what it is. */
  private static int prefix(byte[] ip) {
    int first = ByteBuffer.wrap(ip).getInt();
    return first >>> 16 == 0x2002 ? 0x2002_0000 : first;
  }

  private static boolean isIsatap(byte[] ip) {
    return ip[10] == 0x5e && ip[11] == (byte) 0xfe;
  }

  private static InetAddress withoutZone(InetAddress address) {
    return address instanceof Inet6Address ? of(address.getAddress()) : address;
  }

  private static InetAddress of(byte[] ip) {
    try {
      return InetAddress.getByAddress(ip);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InetAddress literal(String ip) {
    return InetAddress.ofLiteral(ip);
  }
}
