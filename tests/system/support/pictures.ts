/** A red pixel, as PNG. */
export const onePixel = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
    'base64',
  ),
)

/** Two frames of one pixel, red and blue, as GIF. */
export const twoFrames = Uint8Array.from(
  Buffer.from(
    'R0lGODlhAQABAIAAAExpcf8AACH5BAUAAAAALAAAAAABAAEAAAICTAEAIfkEBQAAAAAsAAAAAAEAAQCATGlxAAD/AgJMAQA7',
    'base64',
  ),
)
