import { join } from 'node:path';
import { homeFolder, isInside, realPath } from '@turnwire/machine';

/**
 * Files and folders below the home folder in which programs store keys, tokens and passwords; the history of a user's commands contains
 * some.
 */
const locations: readonly string[] = [
  '.ssh .gnupg .netrc _netrc .git-credentials .config/git/credentials .config/gh .config/glab-cli .config/hub',
  '.aws .azure .config/gcloud .kube .docker/config.json .oci .terraform.d .terraformrc .vault-token .config/doctl .fly .config/op',
  '.npmrc .yarnrc.yml .pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .gradle/gradle.properties',
  '.pgpass .my.cnf .config/rclone .password-store .local/share/keyrings .local/share/kwalletd .config/sops',
  '.mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera',
  'Library/Keychains Library/Cookies Library/Application\u00A0Support/Google/Chrome Library/Application\u00A0Support/Firefox',
  'AppData/Roaming/Microsoft/Credentials AppData/Roaming/Microsoft/Protect AppData/Local/Google/Chrome AppData/Roaming/Mozilla',
  '.claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .local/share/opencode/auth.json',
  '.bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .local/share/fish/fish_history',
].flatMap((line) => line.split(' ').map((location) => location.replaceAll('\u00A0', ' ')));

/**
 * The secret places that a session in these folders asks about, even though they are inside: all in the home folder, except those that
 * contain a folder of the session, since the user chose it explicitly.
 * @param roots the folders of the session, links resolved
 */
export function secretPlaces(roots: readonly string[]): readonly string[] {
  const home = realPath(homeFolder()) ?? homeFolder();
  // Most sessions work in a project without any of these.
  const above = roots.filter((root) => isInside(root, home) || isInside(home, root));
  if (above.length === 0) return [];
  return locations
    .map((location) => join(home, location))
    .filter(
      (location) => above.some((root) => isInside(root, location)) && !above.some((root) => isInside(location, root)),
    );
}
