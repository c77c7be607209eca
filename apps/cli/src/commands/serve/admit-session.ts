import type { Principal, WantedSession } from '@turnwire/gateway';
import { isInside, realPath } from '@turnwire/machine';
import { errorCodes, ProtocolError } from '@turnwire/protocol';

/** The limits for new sessions of a server's clients. */
export interface Admission {
  /** The folders in which sessions may work: absolute paths. */
  readonly roots: readonly string[];
  /** Whether clients other than the owner may name MCP servers, which run commands and reach addresses on this machine. */
  readonly mcpServers: boolean;
}

/** Returns a function that admits sessions in the folders of a server. For other sessions it throws the ProtocolError for the client. */
export function admitSession({
  roots,
  mcpServers,
}: Admission): (wanted: WantedSession, by: Principal) => WantedSession {
  const real = roots.map((root) => realPath(root) ?? root);
  return (wanted, { isOwner }) => {
    for (const folder of [wanted.cwd, ...wanted.additionalDirectories]) {
      const resolved = realPath(folder);
      if (resolved === undefined || !real.some((root) => isInside(root, resolved)))
        throw refused(`${folder} is in none of the folders this server works in: ${roots.join(', ')}`);
    }
    if (wanted.mcpServers.length > 0 && isOwner !== true && !mcpServers)
      throw refused('This token may not name MCP servers: the server was started without --allow-mcp-servers');
    return wanted;
  };
}

function refused(message: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, message);
}
