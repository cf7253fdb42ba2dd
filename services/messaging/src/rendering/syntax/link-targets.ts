/** The target of a link, judged by its address alone: nothing is fetched. */
export type LinkTarget =
  /** `source` is the URL of the picture, if it isn't the address itself. */
  | { kind: 'image'; source?: string }
  | { kind: 'video' }
  | { kind: 'youtube'; videoId: string }
  | { kind: 'other' }

const IMAGE = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i
const VIDEO = /\.(?:mp4|webm)$/i

/** Only to complete relative addresses, so that they can be parsed. */
const BASE = 'https://service.invalid'

/** Pages about pictures whose addresses end like those of pictures: owner, repository, the part after `blob`. */
const GITHUB_PAGE = /^\/([^/]+\/[^/]+)\/blob\/(.+)$/
const GITLAB_PAGE = /^(\/.+)\/-\/blob\/(.+)$/
const WIKI_PAGE = /^\/wiki\/(File:.+)$/
const WIKI_HOST = /^(?:[\w-]+\.wikipedia\.org|commons\.wikimedia\.org)$/
/** Hosts whose pages about pictures don't reveal the picture's URL. */
const PAGES_ONLY: ReadonlySet<string> = new Set(['pasteboard.co'])

const YOUTUBE_HOST = /^(?:(?:www\.|m\.|music\.)?youtube\.com|(?:www\.)?youtube-nocookie\.com)$/
const YOUTUBE_PATH = /^\/(?:embed|v|shorts|live)\/([^/]+)$/
const YOUTUBE_ID = /^[\w-]{11}$/

const UPLOAD_PATH = /^\/user_uploads\/(\d+\/.+)$/s

/** Classifies an address as written in `href`. */
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

/** The path ID of the upload that an address of the organization leads to, or null. */
export function uploadPathId(href: string, realmUrl: string): string | null {
  const isOwn = realmUrl !== '' && href.startsWith(`${realmUrl}/`)
  const path = isOwn ? href.slice(realmUrl.length) : href
  const pathname = path.startsWith('/') ? parse(path)?.pathname : undefined
  const encoded = UPLOAD_PATH.exec(pathname ?? '')?.[1]
  return encoded === undefined ? null : decode(encoded)
}

/**
 * A link to a narrow or an upload of the organization, without the organization's address, for clients that know the
 * organization by another one; every other link unchanged.
 */
export function ownLink(href: string, realmUrl: string): string {
  if (realmUrl === '' || !href.startsWith(`${realmUrl}/`)) return href
  const rest = href.slice(realmUrl.length)
  if (rest.startsWith('/#')) return rest.slice(1)
  return rest.startsWith('/user_uploads/') ? rest : href
}

/** A title for a link: the file name of an upload, or else the address. */
export function linkTitle(href: string): string {
  const pathId = uploadPathId(href, '')
  return pathId?.split('/').at(-1) ?? href
}

function parse(href: string): URL | null {
  if (!/^(?:https?:|\/(?!\/))/i.test(href)) return null
  return URL.canParse(href, BASE) ? new URL(href, BASE) : null
}

/** The picture that a page of a code host or a wiki shows, or null if the address isn't such a page. */
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
    // PostgreSQL can't store NUL.
    return decodeURIComponent(text).replaceAll('\0', '')
  } catch {
    return null
  }
}
