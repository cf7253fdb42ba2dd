/** Programs by what their user agents contain; the first that fits, since most also name those below. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Electron\//, 'Desktop app'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Version\/.* Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
/** Of the name of a program that isn't known. */
const MAX_LENGTH = 40

/** What people call the browser with this user agent: ‘Firefox on Linux’. */
export function browserNameOf(userAgent: string): string {
  const find = (list: typeof PROGRAMS) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const program =
    find(PROGRAMS) ?? (/^[^\s/(]+/.exec(userAgent)?.[0].slice(0, MAX_LENGTH) || 'Unknown browser')
  const system = find(SYSTEMS)
  return system === undefined ? program : `${program} on ${system}`
}
