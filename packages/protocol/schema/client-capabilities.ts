import { boolean, defaults, nullable, object, optional } from './language.ts';

export const FileSystemCapabilities = object('Which file requests the client answers.', {
  readTextFile: optional(boolean, 'Whether `fs/read_text_file` may be called. Absent: no.').absentMeans(false).orAbsent(),
  writeTextFile: optional(boolean, 'Whether `fs/write_text_file` may be called. Absent: no.').absentMeans(false).orAbsent(),
});

export const CompactionCapabilities = object('The client follows context compactions. An empty object says it all.');

export const BooleanConfigOptionCapabilities = object('The client can show on/off options. An empty object says it all.');

export const SessionConfigOptionsCapabilities = object('Which kinds of configuration options the client knows besides `select`.', {
  boolean: optional(
    nullable(BooleanConfigOptionCapabilities),
    'Options of type `boolean` may be offered, and are set with a boolean value. Absent or `null`: offer none.',
  ).orAbsent(),
});

export const NoticeCapabilities = object('The client shows notices. An empty object says it all.');

export const ClientSessionCapabilities = object('What the client can do with a session beyond the basics.', {
  compaction: optional(
    nullable(CompactionCapabilities),
    'The agent may send `compaction_update` and `compaction_summary_chunk`. Absent or `null`: it must not.',
  ).orAbsent(),
  configOptions: optional(
    nullable(SessionConfigOptionsCapabilities),
    'Further kinds of configuration options. Absent or `null`: none.',
  ).orAbsent(),
  notices: optional(nullable(NoticeCapabilities), 'The agent may send `notice` updates. Absent or `null`: it must not.').orAbsent(),
});

export const AuthCapabilities = object('Which ways of logging in need the client’s help and get it.', {
  terminal: optional(
    boolean,
    'Whether the client can start the agent’s program again in an interactive terminal, so that the user logs in there. Absent: no.',
  )
    .absentMeans(false)
    .orAbsent(),
});

export const ElicitationFormCapabilities = object('The client can show a form. An empty object says it all.');

export const ElicitationUrlCapabilities = object('The client can send the user to a web page. An empty object says it all.');

export const ElicitationCapabilities = object('How the client can ask the user for input.', {
  form: optional(nullable(ElicitationFormCapabilities), 'With a form. Absent or `null`: it cannot.').orAbsent(),
  url: optional(nullable(ElicitationUrlCapabilities), 'On a web page. Absent or `null`: it cannot.').orAbsent(),
});

export const ClientCapabilities = object('What a client offers an agent. Whatever is absent must not be called.', {
  fs: optional(FileSystemCapabilities, 'File requests. Absent: none.').absentMeans(defaults(FileSystemCapabilities)).orAbsent(),
  terminal: optional(boolean, 'Whether all the `terminal/` methods may be called. Absent: no.').absentMeans(false).orAbsent(),
  session: optional(nullable(ClientSessionCapabilities), 'Session features. Absent or `null`: none.').orAbsent(),
  auth: optional(AuthCapabilities, 'Help with logging in. Absent: none.').absentMeans(defaults(AuthCapabilities)).orAbsent(),
  elicitation: optional(nullable(ElicitationCapabilities), 'Asking the user for input. Absent or `null`: not possible.').orAbsent(),
});
