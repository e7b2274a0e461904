package dev.imker.model.connection;

/**
 * What to paste on another machine so that it joins the pool; secrets, since the join token is part
 * of them.
 *
 * @param shell for Linux and macOS
 * @param powerShell for Windows
 */
public record JoinLines(String shell, String powerShell) {
  /**
   * @param pin the server's public key as {@code sha256//BASE64}; empty if the machine's own trust
   *     store is sufficient
   */
  public static JoinLines of(String url, String pin, String token) {
    String curl = pin.isEmpty() ? " -fsS " : " -fsSk --pinnedpubkey '" + pin + "' ";
    return new JoinLines(
        "curl" + curl + word(url + "/join") + " | IMKER_JOIN=" + token + " sh",
        "$env:IMKER_JOIN='"
            + token
            + "'; curl.exe"
            + curl
            + word(url + "/join.ps1")
            + " -o \"$env:TEMP\\join.ps1\"; if ($?) { powershell -ExecutionPolicy Bypass"
            + " -File \"$env:TEMP\\join.ps1\" }");
  }

  /** Brackets, as in addresses of IPv6, are patterns for zsh. */
  private static String word(String url) {
    return url.indexOf('[') < 0 ? url : "'" + url + "'";
  }
}
