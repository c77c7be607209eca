/** Prints the frames of both directions as they pass; lines that are not JSON are left out. */
export function jsonFrames(printJson: (json: string) => void): (frame: string) => void {
  return (frame) => {
    if (isJson(frame)) printJson(frame.trim());
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
