package dev.imker.wire.connect;

import com.google.protobuf.ByteString;
import dev.imker.model.attest.Ed25519;
import dev.imker.wire.proto.Hello;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.HexFormat;
import java.util.List;

/**
 * How an agent proves its identity: it signs its claimed identity together with the challenge of
 * the session, with its own key and that of its node.
 */
public final class HelloProof {
  private static final String PURPOSE = "imker agent hello 1";

  private HelloProof() {}

  /** Adds keys and signatures to a hello whose other fields are set. */
  public static Hello.Builder sign(
      Hello.Builder hello, byte[] challenge, KeyPair agent, KeyPair node) {
    hello
        .setPublicKey(ByteString.copyFrom(agent.getPublic().getEncoded()))
        .setNodeKey(ByteString.copyFrom(node.getPublic().getEncoded()));
    byte[] text = text(hello.build(), challenge);
    return hello
        .setSignature(ByteString.copyFrom(Ed25519.sign(agent.getPrivate(), text)))
        .setNodeSignature(ByteString.copyFrom(Ed25519.sign(node.getPrivate(), text)));
  }

  /** Whether the sender of this hello, in a session with this challenge, has both keys. */
  public static boolean isValid(Hello hello, byte[] challenge) {
    byte[] text = text(hello, challenge);
    return verify(hello.getPublicKey(), text, hello.getSignature())
        && verify(hello.getNodeKey(), text, hello.getNodeSignature());
  }

  private static boolean verify(ByteString key, byte[] text, ByteString signature) {
    return Ed25519.verify(key.toByteArray(), text, signature.toByteArray());
  }

  private static byte[] text(Hello hello, byte[] challenge) {
    HexFormat hex = HexFormat.of();
    List<String> words =
        List.of(
            PURPOSE,
            hex.formatHex(challenge),
            hello.getAgentId(),
            hello.getNodeId(),
            Long.toUnsignedString(hello.getIncarnation()),
            hex.formatHex(hello.getPublicKey().toByteArray()),
            hex.formatHex(hello.getNodeKey().toByteArray()));
    StringBuilder text = new StringBuilder();
    // The length prefix makes the encoding unambiguous.
    words.forEach(word -> text.append(word.length()).append(':').append(word).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
