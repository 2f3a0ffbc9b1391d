export default function isInternalUrl(address?: string): boolean {
  return address !== undefined && !/^(?:\w*:|\/\/)/.test(address);
}
