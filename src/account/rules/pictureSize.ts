/** How large an uploaded picture may be. */

export const PICTURE_BYTES_MAX = 200_000;
/** In width and in height. */
export const PICTURE_PIXELS_MAX = 2_000;
/** Maximum base64 characters of one picture, with a prefix such as `data:`. */
export const PICTURE_TEXT_MAX = Math.ceil(PICTURE_BYTES_MAX / 3) * 4 + 100;
