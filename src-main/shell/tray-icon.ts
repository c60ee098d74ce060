/** 32x32 PNG of the product's mark, inside the bundle so that no packaging rule can lose it. */
export const TRAY_ICON: string = [
  'data:image/png;base64,',
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAxUlEQVR42mNgGGxAKf+IAhD3A/F5IP5PJXweaqYCIcsTgPg9FS1G',
  'xyCzE/BZ/p9OOAFbsL+nowPeo0QHNH7+0xn3Izvg/AA44DyyAwhqmLD9EVbcvO7ef7vG02Q5giQHEAIgxwyoA0Bg3oGnA+sAEIic',
  'fJn2DkAO7tKlt1Dk1px8SV8HgPC1J1/gcidufxhhDhiQKBjwRDgosyFdCyJQQhvQopgc3446YNQBg94BA94kG/BG6cA2ywe8YzIo',
  'umaDonM6EAAAQwWl+zOBevwAAAAASUVORK5CYII=',
].join('');
