const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment =
  /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const mailAddress = /^[^\s@]+@[^\s@]+$/;

interface Format {
  readonly isMet: (text: string) => boolean;
  /** The expected form, as a user would say it. */
  readonly wanted: string;
}

const formats: ReadonlyMap<string, Format> = new Map([
  ['email', { isMet: (text) => mailAddress.test(text), wanted: 'an e-mail address, such as name@example.com' }],
  ['uri', { isMet: (text) => URL.canParse(text), wanted: 'a complete address, such as https://example.com/page' }],
  ['date', { isMet: isDay, wanted: 'a date, such as 2026-05-31' }],
  ['date-time', { isMet: isMoment, wanted: 'a date and time with a time zone, such as 2026-05-31T14:30:00Z' }],
]);

/** The expected form of a text, if the text does not have it; every text fits an unknown format. */
export function missedFormat(format: string, text: string): string | undefined {
  const known = formats.get(format);
  return known && !known.isMet(text) ? known.wanted : undefined;
}

/** Whether a text is a date of the calendar: `Date` turns the thirtieth of February into the second of March. */
function isDay(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? [];
  if (year === undefined) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return parsed.getUTCMonth() + 1 === Number(month) && parsed.getUTCDate() === Number(date);
}

function isMoment(text: string): boolean {
  const [, date] = moment.exec(text) ?? [];
  return date !== undefined && isDay(date);
}
