package dev.imker.agent.internal.policy;

import dev.imker.agent.internal.host.JavaPayload;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.LibrarySeal;
import dev.imker.model.job.TaskTemplate;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Admits only tasks of jobs signed by somebody the owner trusts. */
public record SignedJobs(Signing signing) {
  /**
   * Values that cannot become a command of their own, whatever shell they are put into, nor an
   * option: those with a dash in front are numbers.
   */
  private static final Pattern PLAIN_WORD =
      Pattern.compile("-[0-9.]+([eE][+-]?[0-9]+)?|(?!-)[A-Za-z0-9._+:=@%/,-]*");

  /**
   * @param params values of the sweep's parameters
   * @param secrets values of the secrets that it names
   * @param further files of this task alone
   * @throws StartFailedException when the owner does not trust the task
   */
  public void check(
      TaskTemplate template,
      List<String> params,
      Collection<String> secrets,
      List<InputFile> further) {
    if (!signing.needed()) {
      return;
    }
    String signature = template.env().get(JobSeal.VARIABLE);
    if (signature == null && template.kind() == JobKind.JAVA) {
      checkLibrary(JavaPayload.parse(template.payload()));
      return;
    }
    if (signature == null) {
      throw new StartFailedException(
          "This node runs only signed jobs, and this one is not signed (imker run --sign KEY).");
    }
    byte[] text = JobSeal.text(template).getBytes(StandardCharsets.UTF_8);
    if (signing.keys().stream().noneMatch(key -> fits(key, text, signature))) {
      throw new StartFailedException(
          "The job is not signed with a key that the owner of this node trusts.");
    }
    if (!further.stream().allMatch(file -> isCheckpoint(file, template))) {
      throw new StartFailedException(
          "This node runs only signed jobs, and the task has files that are not signed.");
    }
    for (String value : params) {
      if (!PLAIN_WORD.matcher(value).matches()) {
        throw new StartFailedException(
            "This node runs only signed jobs, and the parameter value '"
                + value
                + "' is not a plain word.");
      }
    }
    if (!secrets.stream().allMatch(value -> PLAIN_WORD.matcher(value).matches())) {
      throw new StartFailedException(
          "This node runs only signed jobs, and the value of a secret is not a plain word: letters,"
              + " digits and . _ + : = @ % / , -");
    }
  }

  /** Whether a file is what an earlier attempt at a signed job has saved for the next. */
  private static boolean isCheckpoint(InputFile file, TaskTemplate template) {
    return !file.executable()
        && template.inputs().stream().noneMatch(input -> input.path().equals(file.path()))
        && WorkArea.matches(template.rules().checkpoints(), file.path());
  }

  /**
   * All code of a Java task is in its library: what the job brings besides, and what its tasks hand
   * on to each other, are values, of which only records of the library are made.
   */
  private void checkLibrary(JavaPayload payload) {
    if (payload.library().isEmpty()) {
      throw new StartFailedException("This node runs only signed jobs, and this one has no code.");
    }
    for (BlobId jar : payload.library()) {
      List<LibrarySeal> seals =
          payload.seals().stream().filter(seal -> seal.jar().equals(jar)).toList();
      if (seals.isEmpty()) {
        throw new StartFailedException(
            "This node runs only signed jobs, and a jar of this one is not signed (imker libraries"
                + " upload FILE.jar --version V --sign KEY).");
      }
      if (seals.stream().noneMatch(this::isTrusted)) {
        throw new StartFailedException(
            "The signature of the task library "
                + seals.getFirst().name()
                + " is not from a key that the owner of this node trusts.");
      }
    }
  }

  private boolean isTrusted(LibrarySeal seal) {
    byte[] text = seal.text().getBytes(StandardCharsets.UTF_8);
    return signing.keys().stream().anyMatch(key -> fits(key, text, seal.signature()));
  }

  private static boolean fits(PublicKey key, byte[] text, String base64) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update(text);
      return signature.verify(Base64.getDecoder().decode(base64));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }
}
