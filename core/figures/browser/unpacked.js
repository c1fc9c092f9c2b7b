// Numbers come as base64 of little-endian float32 or float64.
export function unpacked(spec) {
  if (spec === null || typeof spec !== "object") return spec;
  if (spec.bdata !== undefined) {
    const bytes = Uint8Array.from(atob(spec.bdata), letter => letter.charCodeAt(0));
    return new (spec.dtype === "f4" ? Float32Array : Float64Array)(bytes.buffer);
  }
  if (Array.isArray(spec)) return spec.map(unpacked);
  return Object.fromEntries(Object.entries(spec).map(([name, value]) => [name, unpacked(value)]));
}
