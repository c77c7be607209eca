// Windows finds these devices in every folder, with any extension. A colon after the drive's opens a hidden stream of a file.
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:[.:]|$)/iu;

/** Whether Windows treats a path as a device or a hidden stream of a file. */
export function isWindowsDevice(path: string): boolean {
  if (/^[\\/]{2}[.?][\\/]/u.test(path)) return true;
  const names = path.replace(/^[a-z]:/iu, '').split(/[\\/]/u);
  return names.some((each) => each.includes(':') || deviceName.test(each));
}
