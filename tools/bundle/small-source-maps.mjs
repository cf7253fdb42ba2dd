import { decode, encode } from '@jridgewell/sourcemap-codec'

/**
 * Makes source maps what stack traces need of them: file and line, of packages the file alone. Node reads the map of each file
 * that it loads, and from the first stack trace on keeps an object for each segment. Texts of sources and columns took 60 MB of a
 * service, the lines of packages 7 MB.
 */
export function smallMap(map) {
  const isOfPackage = map.sources.map((source) => source.includes('/node_modules/'))
  const mappings = decode(map.mappings).map((segments) => {
    let [lastSource, lastLine] = [-1, -1]
    return segments.flatMap(([column, source = -1, line = 0, sourceColumn = 0]) => {
      const shownLine = isOfPackage[source] ? 0 : line
      if (source === lastSource && shownLine === lastLine) return []
      ;[lastSource, lastLine] = [source, shownLine]
      return [source === -1 ? [column] : [column, source, shownLine, isOfPackage[source] ? 0 : sourceColumn]]
    })
  })
  return JSON.stringify({ ...map, names: [], sourcesContent: undefined, mappings: encode(mappings) })
}
