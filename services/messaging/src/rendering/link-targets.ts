/** What a link leads to, as far as its address says: nothing is fetched. */
export type LinkTarget =
  /** `source` is where the picture is, if not at the address itself. */
  | { kind: 'image'; source?: string }
  | { kind: 'video' }
  | { kind: 'youtube'; videoId: string }
  | { kind: 'other' }

const IMAGE = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const VIDEO = /\.(?:mp4|webm)$/i

/** Only to complete addresses within the service, so that they can be parsed. */
const BASE = 'https://service.invalid'

/** Pages about pictures, whose addresses end like those of pictures: owner, repository, what follows `blob`. */
const GITHUB_PAGE = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/
const GITLAB_PAGE = /^(\/.+)\/-\/blob\/(.+)$/
const WIKI_PAGE = /^\/wiki\/(File:.+)$/
const WIKI_HOST = /^(?:[\w-]+\.wikipedia\.org|commons\.wikimedia\.org)$/
/** Where pages about pictures don't say where the picture is. */
const PAGES_ONLY: ReadonlySet<string> = new Set(['pasteboard.co'])

const YOUTUBE_HOST = /^(?:(?:www\.|m\.|music\.)?youtube\.com|(?:www\.)?youtube-nocookie\.com)$/
const YOUTUBE_PATH = /^\/(?:embed|v|shorts|live)\/([^/]+)$/
const YOUTUBE_ID = /^[\w-]{11}$/

const UPLOAD_PATH = /^\/user_uploads\/(\d+\/.+)$/s

/** Reads an address as it stands in `href`. */
export function linkTarget(href: string): LinkTarget {
  const url = parse(href)
  if (!url) return { kind: 'other' }
  if (IMAGE.test(url.pathname) && !PAGES_ONLY.has(url.hostname)) {
    const source = pictureOfPage(url)
    return source === null ? { kind: 'image' } : { kind: 'image', source }
  }
  if (VIDEO.test(url.pathname)) return { kind: 'video' }
  const videoId = youtubeId(url)
  return videoId === null ? { kind: 'other' } : { kind: 'youtube', videoId }
}

/** The path ID of the upload that an address within the organization leads to, or null. */
export function uploadPathId(href: string, realmUrl: string): string | null {
  const isOwn = realmUrl !== '' && href.startsWith(`${realmUrl}/`)
  const path = isOwn ? href.slice(realmUrl.length) : href
  const pathname = path.startsWith('/') ? parse(path)?.pathname : undefined
  const encoded = UPLOAD_PATH.exec(pathname ?? '')?.[1]
  return encoded === undefined ? null : decode(encoded)
}

/**
 * A link to a narrow or an upload of the organization without its own address, as it is read in a client that knows
 * the organization by another one; every other link as it is.
 */
export function ownLink(href: string, realmUrl: string): string {
  if (realmUrl === '' || !href.startsWith(`${realmUrl}/`)) return href
  const rest = href.slice(realmUrl.length)
  if (rest.startsWith('/#')) return rest.slice(1)
  return rest.startsWith('/user_uploads/') ? rest : href
}

/** The last part of the path of an upload, for people; of another address all of it. */
export function linkTitle(href: string): string {
  const pathId = uploadPathId(href, '')
  return pathId?.split('/').at(-1) ?? href
}

function parse(href: string): URL | null {
  if (!/^(?:https?:|\/(?!\/))/i.test(href)) return null
  return URL.canParse(href, BASE) ? new URL(href, BASE) : null
}

/** The picture that a page of a code host or a wiki is about, or null where an address is not that of such a page. */
function pictureOfPage({ hostname, pathname }: URL): string | null {
  if (hostname === 'github.com') {
    const [, repository, file] = GITHUB_PAGE.exec(pathname) ?? []
    return repository && file ? `https://raw.githubusercontent.com/${repository}/${file}` : null
  }
  if (hostname === 'gitlab.com') {
    const [, project, file] = GITLAB_PAGE.exec(pathname) ?? []
    return project && file ? `https://gitlab.com${project}/-/raw/${file}` : null
  }
  const file = WIKI_HOST.test(hostname) ? WIKI_PAGE.exec(pathname)?.[1] : undefined
  return file === undefined ? null : `https://${hostname}/wiki/Special:FilePath/${file}`
}

function youtubeId(url: URL): string | null {
  const found =
    url.hostname === 'youtu.be'
      ? url.pathname.slice(1)
      : YOUTUBE_HOST.test(url.hostname)
        ? (YOUTUBE_PATH.exec(url.pathname)?.[1] ??
          (url.pathname === '/watch' ? url.searchParams.get('v') : null))
        : null
  return found !== null && YOUTUBE_ID.test(found) ? found : null
}

function decode(text: string): string | null {
  try {
    // NUL is what PostgreSQL can't hold.
    return decodeURIComponent(text).replaceAll('\0', '')
  } catch {
    return null
  }
}
