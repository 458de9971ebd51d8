"""The health check of a web container: exit code 0 when its site says that it is ready, over https where that is served."""

import os
import ssl
import sys
from urllib.error import URLError
from urllib.request import Request, urlopen


def main(port: str) -> int:
    """Ask `/health/ready` on this machine; return 0 when it answers 200, 1 otherwise, with the reason printed."""
    certificate = os.environ.get("TLS_CERTIFICATE")
    context = ssl.create_default_context(cafile=certificate) if certificate else None  # its own, hence trusted
    if context is not None:
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    host = os.environ["ALLOWED_HOSTS"].split(",")[0]
    asked = Request(f"{'https' if certificate else 'http'}://localhost:{port}/health/ready", headers={"Host": host})
    try:
        with urlopen(asked, timeout=4, context=context):  # nosec B310: the address is ours
            return 0
    except (URLError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "8000"))
