package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForbiddenAddressesTest {
  @Test
  void link_local_metadata_and_multicast_addresses_are_forbidden_in_every_form() {
    for (String ip :
        List.of(
            "169.254.169.254",
            "169.254.0.1",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "224.0.0.1",
            "239.255.255.250",
            "fe80::1",
            "febf::1",
            "ff02::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "::ffff:169.254.169.254",
            "::169.254.169.254",
            "::ffff:0:169.254.169.254",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::168.63.129.16",
            "2002:a9fe:a9fe::1",
            "2001:0:4136:e378:8000:63bf:5601:5601",
            "2001:db8::5efe:169.254.169.254")) {
      assertThat(ForbiddenAddresses.contains(InetAddress.ofLiteral(ip))).as(ip).isTrue();
    }
  }

  @Test
  void loopback_private_and_public_addresses_are_allowed() {
    for (String ip :
        List.of(
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "192.0.0.191",
            "100.64.0.1",
            "93.184.216.34",
            "::1",
            "::",
            "fd12:3456::1",
            "2606:2800:220:1::1",
            "2002:7f00:1::1",
            "64:ff9b::10.0.0.1")) {
      assertThat(ForbiddenAddresses.contains(InetAddress.ofLiteral(ip))).as(ip).isFalse();
    }
  }

  @Test
  void an_odd_spelling_of_a_forbidden_address_does_not_get_through() {
    for (String host :
        List.of(
            "2852039166",
            "0xa9fea9fe",
            "0xa9.0xfe.0xa9.0xfe",
            "0251.0376.0251.0376",
            "169.254.43518",
            "169.16689662",
            "169.254.169.254.",
            "[::ffff:a9fe:a9fe]",
            "::ffff:a9fe:a9fe",
            "fe80::1%lo")) {
      assertThatExceptionOfType(UnknownHostException.class)
          .as(host)
          .isThrownBy(() -> new GuardedResolver().resolve(host));
    }
  }

  @Test
  void a_name_is_judged_by_the_addresses_it_has() throws Exception {
    assertThat(new GuardedResolver().resolve("localhost")).isNotEmpty();
    assertThatExceptionOfType(GuardedResolver.Forbidden.class)
        .isThrownBy(() -> new GuardedResolver().resolve("2852039166"));
  }
}
