import type { Descriptions } from '../schema.ts';

export const serviceDescriptions: Descriptions = {
  PermissionOption: {
    '': 'An answer that the user can choose.',
    optionId: 'The id that the outcome contains.',
    name: 'Name for the user.',
    kind: 'The meaning of the answer.',
  },
  PermissionOptionId: {
    '': 'Identifies an option of a permission request. The agent chooses it.',
  },
  PermissionOptionKind: {
    '': 'The meaning of an option.',
    '=allow_once': 'Allow this call.',
    '=allow_always': 'Allow this call, and do not ask again.',
    '=reject_once': 'Reject this call.',
    '=reject_always': 'Reject this call, and do not ask again.',
  },
  RequestPermissionOutcome: {
    '': 'The outcome of a permission request.',
    '=cancelled':
      'The turn was cancelled before the user answered. After `session/cancel` the client answers every open permission request with it.',
    '=selected': 'The user chose an option.',
  },
  RequestPermissionRequest: {
    '': 'Asks the user whether a tool call may run.',
    sessionId: 'The session.',
    toolCall: 'The tool call that needs permission.',
    options: 'The answers that the user can choose from.',
  },
  RequestPermissionResponse: {
    '': 'The answer of the user.',
    outcome: 'The outcome.',
  },
  SelectedPermissionOutcome: {
    '': 'The user chose an option.',
    optionId: 'The chosen option.',
  },
  ReadTextFileRequest: {
    '': 'Reads a text file as the client sees it, including unsaved changes. Needs the client capability `fs.readTextFile`.',
    sessionId: 'The session.',
    path: 'The absolute path of the file.',
    line: 'The first line to read, counted from 1. Absent or `null`: the first line of the file.',
    limit: 'The maximum number of lines. Absent or `null`: all.',
  },
  ReadTextFileResponse: {
    '': 'The content of the file.',
    content: 'The requested lines.',
  },
  WriteTextFileRequest: {
    '': 'Replaces the content of a text file, or creates the file. Needs the client capability `fs.writeTextFile`.',
    sessionId: 'The session.',
    path: 'The absolute path of the file.',
    content: 'The whole new content.',
  },
  WriteTextFileResponse: {
    '': 'The file was written.',
  },
  CreateTerminalRequest: {
    '': 'Starts a command and answers at once. Like all terminal methods it needs the client capability `terminal`.',
    sessionId: 'The session.',
    command: 'The command.',
    args: 'Its arguments. Absent: none.',
    env: 'Additional environment variables. Absent: none.',
    cwd: 'The absolute path of the working directory. Absent or `null`: that of the session.',
    outputByteLimit:
      'The number of bytes of output to keep. The client drops the oldest output beyond it, at a character boundary. Absent or `null`: the client decides.',
  },
  CreateTerminalResponse: {
    '': 'The command is running.',
    terminalId: 'The id for later requests.',
  },
  KillTerminalRequest: {
    '': 'Kills the command. The terminal remains, and its output can still be read.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  KillTerminalResponse: {
    '': 'The command was killed.',
  },
  ReleaseTerminalRequest: {
    '': 'Kills the command if it is running, and deletes the terminal. Its id is invalid from then on.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  ReleaseTerminalResponse: {
    '': 'The terminal was deleted.',
  },
  TerminalExitStatus: {
    '': 'How a command ended.',
    exitCode: 'The exit code. Absent or `null`: a signal ended the command.',
    signal: 'The signal that ended the command, such as `SIGTERM`. Absent or `null`: it exited by itself.',
  },
  TerminalId: {
    '': 'Identifies a terminal. The client chooses it.',
  },
  TerminalOutputRequest: {
    '': 'Gets the output so far, without waiting.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  TerminalOutputResponse: {
    '': 'The output so far.',
    output: 'The kept output.',
    truncated: 'Whether the beginning was dropped because of the limit.',
    exitStatus: 'The end of the command. Absent or `null`: it is running.',
  },
  WaitForTerminalExitRequest: {
    '': 'Waits for the command to end.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  WaitForTerminalExitResponse: {
    '': 'The command has ended.',
    exitCode: 'The exit code. Absent or `null`: a signal ended the command.',
    signal: 'The signal that ended the command, such as `SIGTERM`. Absent or `null`: it exited by itself.',
  },
  BooleanPropertySchema: {
    '': 'A boolean.',
    title: 'Label for the user. Absent or `null`: use the name of the field.',
    description: 'Description for the user. Absent or `null`: none.',
  },
  CompleteElicitationNotification: {
    '': 'The user has finished on a web page.',
    elicitationId: 'The question that this completes.',
  },
  CreateElicitationRequest: {
    '': 'Asks the user for input. Needs the client capability `elicitation`.',
    message: 'The question for the user, with the reason.',
    '=form': 'With a form. Needs the client capability `elicitation.form`.',
    '=url': 'On a web page. Needs the client capability `elicitation.url`.',
  },
  CreateElicitationResponse: {
    '': 'The answer of the user.',
    '=accept': 'The user filled in the form, or agreed to visit the page.',
    '=decline': 'The user declined.',
    '=cancel': 'The user left without a decision.',
  },
  ElicitationAcceptAction: {
    '': 'The user filled in the form, or agreed to visit the page.',
    content: 'The values by field. Absent or `null`: none.',
  },
  ElicitationContentValue: {
    '': 'The value of one field.',
    '|String': 'A text, or the chosen value.',
    '|Integer': 'A whole number.',
    '|Number': 'A number.',
    '|Boolean': 'A boolean.',
    '|StringArray': 'The chosen values.',
  },
  ElicitationFormMode: {
    '': 'Asks with a form.',
    requestedSchema: 'The form.',
  },
  ElicitationId: {
    '': 'Identifies a question that the user answers on a web page. The agent chooses it.',
  },
  ElicitationPropertySchema: {
    '': 'A field of a form. A client that does not know its `type` must not show it as a field of another type.',
    '=string': 'A text, or one of several values.',
    '=number': 'A number.',
    '=integer': 'A whole number.',
    '=boolean': 'A boolean.',
    '=array': 'Any number of several values.',
  },
  ElicitationRequestScope: {
    '': 'The question belongs to a request of the client, such as `authenticate`, and to no session.',
    requestId: 'The id of the request.',
  },
  ElicitationSchema: {
    '': 'A form: a JSON Schema of one flat object.',
    type: 'Always `object`, even if it is absent.',
    title: 'The heading of the form. Absent or `null`: none.',
    properties: 'The fields by name. Absent: none.',
    required: 'The names of the required fields. Absent or `null`: none.',
    description: 'The purpose of the form. Absent or `null`: not specified.',
  },
  ElicitationSchemaType: {
    '': 'The JSON Schema type of a form.',
    '=object': 'Always an object.',
  },
  ElicitationSessionScope: {
    '': 'The question belongs to a session.',
    sessionId: 'The session.',
    toolCallId: 'The tool call that needs the answer. Absent or `null`: not specified.',
  },
  ElicitationUrlMode: {
    '': 'Asks on a web page.',
    elicitationId: 'The id that `elicitation/complete` contains.',
    url: 'The address of the page.',
  },
  EnumOption: {
    '': 'A value with a name for people.',
    const: 'The value.',
    title: 'Name for the user.',
    description: 'Description for the user. Absent or `null`: none.',
  },
  IntegerPropertySchema: {
    '': 'A whole number.',
    title: 'Label for the user. Absent or `null`: use the name of the field.',
    description: 'Description for the user. Absent or `null`: none.',
    minimum: 'The minimum. Absent or `null`: no limit.',
    maximum: 'The maximum. Absent or `null`: no limit.',
  },
  MultiSelectItems: {
    '': 'The values that the user can choose from. Without a `type` they have names.',
    '=string': 'Plain values.',
  },
  MultiSelectPropertySchema: {
    '': 'A choice of any number of values.',
    title: 'Label for the user. Absent or `null`: use the name of the field.',
    description: 'Description for the user. Absent or `null`: none.',
    minItems: 'The minimum number of values. Absent or `null`: no limit.',
    maxItems: 'The maximum number of values. Absent or `null`: no limit.',
    items: 'The values to choose from.',
  },
  NumberPropertySchema: {
    '': 'A number.',
    title: 'Label for the user. Absent or `null`: use the name of the field.',
    description: 'Description for the user. Absent or `null`: none.',
    minimum: 'The minimum. Absent or `null`: no limit.',
    maximum: 'The maximum. Absent or `null`: no limit.',
  },
  StringFormat: {
    '': 'A format of a text. A format that the receiver does not know has no effect.',
    '=email': 'An e-mail address.',
    '=uri': 'A URI.',
    '=date': 'A date: YYYY-MM-DD.',
    '=date-time': 'A date and time: ISO 8601.',
  },
  StringMultiSelectItems: {
    '': 'Values to choose from.',
    enum: 'The values.',
  },
  StringPropertySchema: {
    '': 'A text or, with `enum` or `oneOf`, one of several values.',
    title: 'Label for the user. Absent or `null`: use the name of the field.',
    description: 'Description for the user. Absent or `null`: none.',
    minLength: 'The minimum number of characters. Absent or `null`: no limit.',
    maxLength: 'The maximum number of characters. Absent or `null`: no limit.',
    pattern: 'A regular expression that the text must match. Absent or `null`: none.',
    format: 'The format of the text. Absent or `null`: any.',
    enum: 'The values to choose from. Absent or `null`: see `oneOf`.',
    oneOf: 'The values to choose from, with names. Absent or `null`: see `enum`.',
  },
  TitledMultiSelectItems: {
    '': 'Values to choose from, with names.',
    anyOf: 'The values.',
  },
};
