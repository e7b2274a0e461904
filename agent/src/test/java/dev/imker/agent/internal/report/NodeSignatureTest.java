package dev.imker.agent.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.attest.Ed25519;
import dev.imker.testbase.Trials;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Random;

class NodeSignatureTest {
  private static final int KEY_BYTES = 32;
  private static final int MOST = 300;

  @Trials(20)
  void signatures_are_those_that_java_makes(long seed) throws GeneralSecurityException {
    Random random = new Random(seed);
    byte[] secret = new byte[KEY_BYTES];
    random.nextBytes(secret);
    PrivateKey key =
        KeyFactory.getInstance(Ed25519.ALGORITHM)
            .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, secret));
    byte[] text = new byte[random.nextInt(MOST)];
    random.nextBytes(text);
    assertThat(new NodeSignature(key).of(text)).isEqualTo(Ed25519.sign(key, text));
  }
}
