"""The Python SDK: parallel blocks, ranges, metadata with underscores, snapshots, leases, signatures, listings."""

import hashlib
import json
import os
import sys
from datetime import datetime, timedelta, timezone

from azure.core.exceptions import HttpResponseError
from azure.storage.blob import BlobClient, BlobServiceClient, generate_blob_sas

given = json.load(sys.stdin)
service = BlobServiceClient(given["endpoint"], credential=given["keys"][0], max_single_put_size=1 << 20, max_block_size=1 << 20)
container = service.create_container("python")


def failure(action):
    try:
        action()
    except HttpResponseError as error:
        return f"{error.status_code} {getattr(error.error_code, 'value', error.error_code)}"
    return "none"


data = os.urandom(5_000_003)
big = container.upload_blob("dir/big ü", data, max_concurrency=2, metadata={"foo_bar": "1", "foo2": "2", "a_1": "3", "a1": "4"})
result = {
    "same": hashlib.sha256(big.download_blob(max_concurrency=2).readall()).digest() == hashlib.sha256(data).digest(),
    "range": big.download_blob(offset=10, length=20).readall() == data[10:30],
    "metadata": big.get_blob_properties().metadata,
}
small = container.get_blob_client("small")
small.upload_blob(b"one")
snapshot = small.create_snapshot()["snapshot"]
small.upload_blob(b"two", overwrite=True)
result["snapshot"] = container.get_blob_client("small", snapshot=snapshot).download_blob().readall().decode()
result["exists"] = failure(lambda: small.upload_blob(b"three"))
lease = small.acquire_lease(15)
result["leased"] = failure(small.delete_blob)
lease.release()
sas = generate_blob_sas(
    given["account"],
    "python",
    "small",
    account_key=given["keys"][0],
    permission="r",
    expiry=datetime.now(timezone.utc) + timedelta(minutes=5),
)
result["sas"] = BlobClient.from_blob_url(f"{small.url}?{sas}").download_blob().readall().decode()
result["listed"] = [blob.name for blob in container.list_blobs(include=["metadata", "snapshots"])]
result["walked"] = [entry.name for entry in container.walk_blobs(delimiter="/")]
container.delete_container()
print(json.dumps(result))
