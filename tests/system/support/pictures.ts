/** A red pixel, as PNG. */
export const onePixel = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
    'base64',
  ),
)

/** A JPEG with a rotation: shown two pixels wide and three high, stored as three wide and two high. */
export const rotatedPicture = Uint8Array.from(
  Buffer.from(
    '/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAQP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQAo//2Q==',
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

/** Fits wherever a file is accepted. */
export const anyPicture = { name: 'a file.png', content: onePixel, type: 'image/png' }
