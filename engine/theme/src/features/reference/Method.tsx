/** The method of a request, in its color. */
export function Method({ method }: { method: string }) {
  return (
    <span className="api-method" data-method={method.toLowerCase()}>
      {method}
    </span>
  );
}
