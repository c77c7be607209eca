import type { RequirementId } from '../requirements/requirement.ts';

/** What the audit judges of agents in every connection: a scenario need only make the occasion. */
export const auditedInAgents: readonly RequirementId[] = [
  // Framing and JSON-RPC
  ...([
    'R001',
    'R005',
    'R006',
    'R009',
    'R017',
    'R018',
    'R019',
    'R020',
    'R022',
    'R023',
    'R024',
    'R025',
    'R026',
  ] as const),
  // Initialization, capabilities and login
  ...(['R035', 'R039', 'R042', 'R045', 'R050', 'R055', 'R058', 'R061', 'R065'] as const),
  // Sessions
  ...(['R075', 'R086', 'R091', 'R116', 'R117', 'R128'] as const),
  // Turns
  ...(['R145', 'R147', 'R153', 'R162', 'R176'] as const),
  // Tool calls, permissions, terminals
  ...(['R150', 'R179', 'R180', 'R181', 'R182', 'R185', 'R186', 'R187', 'R188', 'R189', 'R191', 'R194'] as const),
  ...(['R196', 'R206', 'R216', 'R219', 'R226'] as const),
  // Content, plans, modes, options, commands
  ...(['R233', 'R234', 'R235', 'R236', 'R245', 'R247', 'R253', 'R257', 'R260', 'R261', 'R265'] as const),
  ...(['R270', 'R271', 'R274', 'R276'] as const),
  // Extensions, elicitation, notices and compaction
  ...(['R280', 'R282', 'R283', 'R286', 'R287', 'R290', 'R298', 'R303', 'R309'] as const),
  ...(['R315', 'R316', 'R319', 'R320', 'R322'] as const),
  // Freedoms: held when they are made use of
  ...([
    'R027',
    'R054',
    'R089',
    'R124',
    'R127',
    'R138',
    'R140',
    'R143',
    'R144',
    'R149',
    'R151',
    'R152',
    'R161',
  ] as const),
  ...(['R167', 'R169', 'R192', 'R193', 'R209', 'R230', 'R238', 'R241', 'R246', 'R248', 'R252', 'R264'] as const),
  ...(['R275', 'R279', 'R310'] as const),
];

/** What the audit judges of clients in every connection. */
export const auditedInClients: readonly RequirementId[] = [
  // Framing and JSON-RPC
  ...(['R001', 'R005', 'R006', 'R010', 'R017', 'R018', 'R019', 'R020', 'R022', 'R023', 'R024', 'R026'] as const),
  // Initialization, capabilities and login
  ...(['R030', 'R032', 'R033', 'R039', 'R042', 'R044', 'R050', 'R056', 'R063', 'R070'] as const),
  // Sessions
  ...(['R076', 'R079', 'R083', 'R084', 'R090', 'R093', 'R096', 'R097', 'R102', 'R108', 'R112', 'R113'] as const),
  ...(['R115', 'R118', 'R120', 'R130'] as const),
  // Turns and permissions
  ...(['R134', 'R135', 'R142', 'R157', 'R197', 'R199'] as const),
  // Files and terminals
  ...(['R207', 'R213', 'R228', 'R232'] as const),
  // Content, modes, options
  ...(['R233', 'R234', 'R235', 'R236', 'R237', 'R249', 'R256', 'R268'] as const),
  // Extensions and elicitation
  ...(['R280', 'R282', 'R283', 'R286', 'R289', 'R306', 'R312'] as const),
  // Freedoms: held when they are made use of
  ...(['R027', 'R105', 'R137', 'R155', 'R165', 'R169', 'R238', 'R251', 'R272', 'R279'] as const),
];
