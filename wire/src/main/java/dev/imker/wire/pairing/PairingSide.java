package dev.imker.wire.pairing;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import org.bouncycastle.crypto.CryptoException;
import org.bouncycastle.crypto.agreement.jpake.JPAKEParticipant;
import org.bouncycastle.crypto.agreement.jpake.JPAKEPrimeOrderGroups;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound1Payload;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound2Payload;
import org.bouncycastle.crypto.agreement.jpake.JPAKERound3Payload;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.jspecify.annotations.Nullable;

/**
 * One side of an exchange in which agent and server prove to each other that they know the same
 * code, without showing it: J-PAKE (RFC 8236) over a group of 3072 bits. The password is the code
 * together with the fingerprint of the certificate that this side sees, so a man in the middle with
 * a different certificate fails even if he relays everything. The messages cannot be used to try
 * codes offline; an attacker has one guess per exchange.
 *
 * <p>In order: {@link #first}, {@link #second} of the other's first, {@link #proof} of the other's
 * second, {@link #check} of the other's proof, and then the sealed data. Each is called once.
 */
public final class PairingSide {
  private static final String AGENT = "imker agent";
  private static final String SERVER = "imker server";
  private static final int CODE_DIGITS = 8;
  private static final int MAX_HEX_DIGITS = 3072 / 4;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final JPAKEParticipant own;
  private final String other;
  private @Nullable BigInteger key;

  private PairingSide(String self, String other, String code, String fingerprint) {
    char[] password = (digits(code) + " " + fingerprint).toCharArray();
    this.own =
        new JPAKEParticipant(
            self, password, JPAKEPrimeOrderGroups.NIST_3072, SHA256Digest.newInstance(), RANDOM);
    this.other = other;
  }

  public static PairingSide ofAgent(String code, String fingerprint) {
    return new PairingSide(AGENT, SERVER, code, fingerprint);
  }

  public static PairingSide ofServer(String code, String fingerprint) {
    return new PairingSide(SERVER, AGENT, code, fingerprint);
  }

  /** A new code in the form for people: 1234-5678. */
  public static String randomCode() {
    String digits = String.format("%0" + CODE_DIGITS + "d", RANDOM.nextInt(100_000_000));
    return digits.substring(0, CODE_DIGITS / 2) + "-" + digits.substring(CODE_DIGITS / 2);
  }

  /** Whether this has the form of a code, ignoring dashes and blanks. */
  public static boolean isCode(String typed) {
    return digits(typed).matches("[0-9]{" + CODE_DIGITS + "}");
  }

  private static String digits(String code) {
    return code.replaceAll("[\\s-]", "");
  }

  public String first() {
    JPAKERound1Payload sent = own.createRound1PayloadToSend();
    BigInteger[] proof1 = sent.getKnowledgeProofForX1();
    BigInteger[] proof2 = sent.getKnowledgeProofForX2();
    return text(sent.getGx1(), sent.getGx2(), proof1[0], proof1[1], proof2[0], proof2[1]);
  }

  public String second(String firstOfOther) throws PairingException {
    BigInteger[] got = numbers(firstOfOther, 6);
    try {
      own.validateRound1PayloadReceived(
          new JPAKERound1Payload(
              other,
              got[0],
              got[1],
              new BigInteger[] {got[2], got[3]},
              new BigInteger[] {got[4], got[5]}));
    } catch (CryptoException e) {
      throw nonsense();
    }
    JPAKERound2Payload sent = own.createRound2PayloadToSend();
    BigInteger[] proof = sent.getKnowledgeProofForX2s();
    return text(sent.getA(), proof[0], proof[1]);
  }

  public String proof(String secondOfOther) throws PairingException {
    BigInteger[] got = numbers(secondOfOther, 3);
    try {
      own.validateRound2PayloadReceived(
          new JPAKERound2Payload(other, got[0], new BigInteger[] {got[1], got[2]}));
    } catch (CryptoException e) {
      throw nonsense();
    }
    BigInteger common = own.calculateKeyingMaterial();
    key = common;
    return text(own.createRound3PayloadToSend(common).getMacTag());
  }

  /**
   * @throws PairingException if the other side has another code or sees another certificate
   */
  public void check(String proofOfOther) throws PairingException {
    try {
      own.validateRound3PayloadReceived(
          new JPAKERound3Payload(other, numbers(proofOfOther, 1)[0]), common());
    } catch (CryptoException e) {
      throw new PairingException("the codes differ");
    }
  }

  /** Encrypts data for the other side, after it has proved that it knows the code. */
  public String seal(String text) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      byte[] sealed =
          cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(text.getBytes(StandardCharsets.UTF_8));
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return Base64.getEncoder().encodeToString(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES", e);
    }
  }

  public String unseal(String sealed) throws PairingException {
    try {
      byte[] all = Base64.getDecoder().decode(sealed);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(all, NONCE_BYTES));
      byte[] text = cipher.doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
      return new String(text, StandardCharsets.UTF_8);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw nonsense();
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    SecretKey secret =
        KDF.getInstance("HKDF-SHA256")
            .deriveKey(
                "AES",
                HKDFParameterSpec.ofExtract()
                    .addIKM(common().toByteArray())
                    .thenExpand("imker join token".getBytes(StandardCharsets.UTF_8), 32));
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, secret, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }

  private BigInteger common() {
    BigInteger common = key;
    if (common == null) {
      throw new IllegalStateException("the other side must send its second message first");
    }
    return common;
  }

  private static String text(BigInteger... numbers) {
    return Stream.of(numbers).map(number -> number.toString(16)).collect(Collectors.joining("."));
  }

  private static BigInteger[] numbers(String text, int count) throws PairingException {
    String[] parts = text.split("\\.", -1);
    String sign = count == 1 ? "-?" : ""; // a proof is any number
    String number = sign + "[0-9a-f]{1," + MAX_HEX_DIGITS + "}";
    if (parts.length != count || !Stream.of(parts).allMatch(part -> part.matches(number))) {
      throw nonsense();
    }
    return Stream.of(parts).map(part -> new BigInteger(part, 16)).toArray(BigInteger[]::new);
  }

  private static PairingException nonsense() {
    return new PairingException("the other side sent an unexpected message");
  }
}
