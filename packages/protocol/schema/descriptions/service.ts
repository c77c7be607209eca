import type { Descriptions } from '../schema.ts';

export const serviceDescriptions: Descriptions = {
  PermissionOption: {
    '': 'One of the answers the user can give.',
    optionId: 'What the outcome refers to.',
    name: 'What the user reads.',
    kind: 'What it means.',
  },
  PermissionOptionId: {
    '': 'Names an option of a permission request. The agent chooses it.',
  },
  PermissionOptionKind: {
    '': 'What choosing an option means.',
    '=allow_once': 'Yes, this time.',
    '=allow_always': 'Yes, and do not ask again.',
    '=reject_once': 'No, this time.',
    '=reject_always': 'No, and do not ask again.',
  },
  RequestPermissionOutcome: {
    '': 'How a permission request ended.',
    '=cancelled': 'The turn was cancelled before the user answered. After `session/cancel`, the answer to every open permission request.',
    '=selected': 'The user chose an option.',
  },
  RequestPermissionRequest: {
    '': 'Asks the user whether a tool may run.',
    sessionId: 'The session.',
    toolCall: 'The tool call in question.',
    options: 'The answers to choose from.',
  },
  RequestPermissionResponse: {
    '': 'What the user answered.',
    outcome: 'How it ended.',
  },
  SelectedPermissionOutcome: {
    '': 'The user chose an option.',
    optionId: 'The option chosen.',
  },
  ReadTextFileRequest: {
    '': 'Reads a text file as the client sees it, unsaved changes included. Needs the client capability `fs.readTextFile`.',
    sessionId: 'The session.',
    path: 'The file: an absolute path.',
    line: 'The first line to read, from 1. Absent or `null`: the first of the file.',
    limit: 'How many lines to read at most. Absent or `null`: all.',
  },
  ReadTextFileResponse: {
    '': 'What the file holds.',
    content: 'The lines asked for.',
  },
  WriteTextFileRequest: {
    '': 'Writes a text file, in place of what it held; makes it if it is not there. Needs the client capability `fs.writeTextFile`.',
    sessionId: 'The session.',
    path: 'The file: an absolute path.',
    content: 'All it is to hold.',
  },
  WriteTextFileResponse: {
    '': 'The file is written.',
  },
  CreateTerminalRequest: {
    '': 'Starts a command and answers at once. Needs the client capability `terminal`, like all its siblings.',
    sessionId: 'The session.',
    command: 'The command.',
    args: 'Its arguments. Absent: none.',
    env: 'Environment variables to set for it. Absent: none.',
    cwd: 'The folder to start it in: an absolute path. Absent or `null`: the session’s.',
    outputByteLimit:
      'How many bytes of output to keep. Beyond that the oldest go first, at a character boundary. Absent or `null`: the client decides.',
  },
  CreateTerminalResponse: {
    '': 'The command is running.',
    terminalId: 'What later requests refer to.',
  },
  KillTerminalRequest: {
    '': 'Stops the command. The terminal stays and can still be read.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  KillTerminalResponse: {
    '': 'The command is stopped.',
  },
  ReleaseTerminalRequest: {
    '': 'Stops the command if it runs and forgets the terminal; its id is void from now on.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  ReleaseTerminalResponse: {
    '': 'The terminal is forgotten.',
  },
  TerminalExitStatus: {
    '': 'How a command ended.',
    exitCode: 'The exit code. Absent or `null`: a signal ended it.',
    signal: 'The signal that ended it, `SIGTERM` say. Absent or `null`: it exited by itself.',
  },
  TerminalId: {
    '': 'Names a terminal. The client chooses it.',
  },
  TerminalOutputRequest: {
    '': 'Asks for the output so far, without waiting.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  TerminalOutputResponse: {
    '': 'The output so far.',
    output: 'What is kept of it.',
    truncated: 'Whether the beginning was cut off to keep within the limit.',
    exitStatus: 'How the command ended. Absent or `null`: it runs.',
  },
  WaitForTerminalExitRequest: {
    '': 'Waits for the command to end.',
    sessionId: 'The session.',
    terminalId: 'The terminal.',
  },
  WaitForTerminalExitResponse: {
    '': 'The command has ended.',
    exitCode: 'The exit code. Absent or `null`: a signal ended it.',
    signal: 'The signal that ended it, `SIGTERM` say. Absent or `null`: it exited by itself.',
  },
  BooleanPropertySchema: {
    '': 'Yes or no.',
    title: 'What the user reads. Absent or `null`: use the field’s name.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
  },
  CompleteElicitationNotification: {
    '': 'What the user was sent to a web page for is done.',
    elicitationId: 'The question it settles.',
  },
  CreateElicitationRequest: {
    '': 'Asks the user for input. Needs the client capability `elicitation`.',
    message: 'What is needed and why, for the user.',
    '=form': 'With a form. Needs the client capability `elicitation.form`.',
    '=url': 'On a web page. Needs the client capability `elicitation.url`.',
  },
  CreateElicitationResponse: {
    '': 'What the user did.',
    '=accept': 'Filled in the form, or agreed to visit the page.',
    '=decline': 'Said no.',
    '=cancel': 'Went away without a decision.',
  },
  ElicitationAcceptAction: {
    '': 'The user filled in the form, or agreed to visit the page.',
    content: 'What was put in, by field. Absent or `null`: nothing.',
  },
  ElicitationContentValue: {
    '': 'What the user put into one field.',
    '|String': 'A text, or the value chosen.',
    '|Integer': 'A whole number.',
    '|Number': 'A number.',
    '|Boolean': 'Yes or no.',
    '|StringArray': 'The values chosen.',
  },
  ElicitationFormMode: {
    '': 'Asks with a form.',
    requestedSchema: 'The form.',
  },
  ElicitationId: {
    '': 'Names a question that is answered on a web page. The agent chooses it.',
  },
  ElicitationPropertySchema: {
    '': 'A field of a form. A client that does not know its `type` must not show it as something else.',
    '=string': 'A text, or one value out of several.',
    '=number': 'A number.',
    '=integer': 'A whole number.',
    '=boolean': 'Yes or no.',
    '=array': 'Several values out of several.',
  },
  ElicitationRequestScope: {
    '': 'The question belongs to a request of the client, such as `authenticate`, outside any session.',
    requestId: 'The id the client gave the request.',
  },
  ElicitationSchema: {
    '': 'A form: a JSON Schema of one flat object.',
    type: 'Always `object`, given or not.',
    title: 'The form’s heading. Absent or `null`: none.',
    properties: 'The fields by name. Absent: none.',
    required: 'The names of the fields that must be filled in. Absent or `null`: none.',
    description: 'What the form is for. Absent or `null`: not said.',
  },
  ElicitationSchemaType: {
    '': 'What a form is to JSON Schema.',
    '=object': 'An object, always.',
  },
  ElicitationSessionScope: {
    '': 'The question belongs to a session.',
    sessionId: 'The session.',
    toolCallId: 'The tool call that needs the answer. Absent or `null`: none in particular.',
  },
  ElicitationUrlMode: {
    '': 'Asks on a web page.',
    elicitationId: 'What `elicitation/complete` refers to.',
    url: 'The page.',
  },
  EnumOption: {
    '': 'A value to choose, with a name for people.',
    const: 'The value.',
    title: 'What the user reads.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
  },
  IntegerPropertySchema: {
    '': 'A whole number to type.',
    title: 'What the user reads. Absent or `null`: use the field’s name.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    minimum: 'The smallest allowed. Absent or `null`: no limit.',
    maximum: 'The largest allowed. Absent or `null`: no limit.',
  },
  MultiSelectItems: {
    '': 'What several values are chosen from. Without a `type` the values have names.',
    '=string': 'Plain values.',
  },
  MultiSelectPropertySchema: {
    '': 'Several values to choose.',
    title: 'What the user reads. Absent or `null`: use the field’s name.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    minItems: 'How many at least. Absent or `null`: no limit.',
    maxItems: 'How many at most. Absent or `null`: no limit.',
    items: 'What to choose from.',
  },
  NumberPropertySchema: {
    '': 'A number to type.',
    title: 'What the user reads. Absent or `null`: use the field’s name.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    minimum: 'The smallest allowed. Absent or `null`: no limit.',
    maximum: 'The largest allowed. Absent or `null`: no limit.',
  },
  StringFormat: {
    '': 'A form a text must have. One that is not known asks for nothing.',
    '=email': 'An e-mail address.',
    '=uri': 'A URI.',
    '=date': 'A day: YYYY-MM-DD.',
    '=date-time': 'A moment: ISO 8601.',
  },
  StringMultiSelectItems: {
    '': 'Values to choose from.',
    enum: 'The values.',
  },
  StringPropertySchema: {
    '': 'A text to type, or one value to choose where `enum` or `oneOf` is given.',
    title: 'What the user reads. Absent or `null`: use the field’s name.',
    description: 'More about it, for the user. Absent or `null`: nothing more.',
    minLength: 'How many characters at least. Absent or `null`: no limit.',
    maxLength: 'How many characters at most. Absent or `null`: no limit.',
    pattern: 'A regular expression the text must match. Absent or `null`: none.',
    format: 'The form it must have. Absent or `null`: any.',
    enum: 'The values to choose from. Absent or `null`: see `oneOf`.',
    oneOf: 'The values to choose from, with names. Absent or `null`: see `enum`.',
  },
  TitledMultiSelectItems: {
    '': 'Values to choose from, with names.',
    anyOf: 'The values.',
  },
};
