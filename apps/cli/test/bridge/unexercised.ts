/** Requirements that the kit does not exercise through a gateway without a process, by the reason. */
const common: Readonly<Record<string, string>> = {
  'bytes of stdin and stdout, and the exit: they belong to a process, which turnwire check judges':
    'R002 R004 R012 V115',
  'the precondition did not occur: the agent has every version, and no connection ends': 'V011 V116 R368',
  'a login of the built-in agent needs a page, and the kit has the option --auth-method for it': 'R058 R059 R071 V126',
  'the gateway shows the login at a terminal only to clients that start the command themselves': 'R061 R065',
  'neither the built-in agent nor the gateway sends such messages':
    'R234 R235 R236 R274 R282 R283 R286 R303 R309 V037 V118',
  'the agent offers it, so there is nothing to refuse: MCP over HTTP, every kind of content': 'R109 R136',
  'the built-in agent has no option of type boolean, and compacts no short session': 'R261 R319',
  'the offline model delegates no task to a child session': 'V046 V090 V091 V092 V093 V094',
  'the gateway offers forms to the agent before it knows its clients: a client without forms dismisses a question':
    'R288',
  'no command fails in a terminal of the client': 'R191',
};

/** An agent of version 2 runs its commands itself. */
const ofAgentVersion2 = { 'the agent of version 2 uses no terminal of the client': 'R191 R219 R226' };

const idsOf = (reasons: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(reasons).flatMap((ids) => ids.split(' '));

/** The requirements that may be left out between a client and an agent of these versions. */
export function explained(client: 1 | 2, agent: 1 | 2): ReadonlySet<string> {
  return new Set([...idsOf(common), ...(client === 1 && agent === 2 ? idsOf(ofAgentVersion2) : [])]);
}
