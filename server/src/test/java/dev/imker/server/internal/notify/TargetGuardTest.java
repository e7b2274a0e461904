package dev.imker.server.internal.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.testbase.Attack;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetGuardTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "198.18.0.1"
      })
  @Attack(value = "make the server call a private address", cases = 8)
  void private_addresses_do_not_pass(String address) throws UnknownHostException {
    assertThat(TargetGuard.isPublic(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "93.184.216.34", "2606:4700::1111", "172.32.0.1"})
  void public_addresses_pass(String address) throws UnknownHostException {
    assertThat(TargetGuard.isPublic(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ftp://8.8.8.8/x", "http://a:b@8.8.8.8/", "file:///etc/passwd", "http:///x"})
  @Attack(value = "make the server call something that is not a web address", cases = 4)
  void only_web_addresses_without_passwords_pass(String target) {
    assertThatThrownBy(() -> TargetGuard.resolve(URI.create(target), true))
        .isInstanceOf(NotDeliveredException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://[::1]:80/", "http://localhost/"})
  @Attack(value = "make the server call a private address in another spelling", cases = 2)
  void names_and_odd_forms_of_private_addresses_do_not_pass(String target) {
    assertThatThrownBy(() -> TargetGuard.resolve(URI.create(target), false))
        .isInstanceOf(NotDeliveredException.class);
    assertThat(TargetGuard.resolve(URI.create(target), true).isLoopbackAddress()).isTrue();
  }
}
