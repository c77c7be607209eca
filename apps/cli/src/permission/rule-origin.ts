import type { PermissionRule } from '@agentwire/client/permissions';

/** Where a rule comes from, in words. */
export function ruleOrigin({ source, file }: Pick<PermissionRule, 'source' | 'file'>): string {
  switch (source) {
    case 'command-line':
      return 'command line';
    case 'session':
      return 'this session';
    case 'project':
    case 'user':
      return file === undefined ? source : `${source}, ${file}`;
  }
}
