/** The day of a time where this process runs, or a number of days before it: `2026-01-31`. */
export function localDay(date: Date, daysBefore = 0): string {
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
